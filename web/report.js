/* SPDX-License-Identifier: Apache-2.0 */
/* The page is whole without this; it tells values, by pointer or by keys. */
'use strict';
(() => {
  const NS = 'http://www.w3.org/2000/svg';
  const pad = (n) => String(n).padStart(2, '0');
  const pair = (text) => text.split(' ').map(Number);
  const clock = (s) => {
    const d = new Date(s * 1000);
    return d.getUTCFullYear() + '-' + pad(d.getUTCMonth() + 1) + '-' +
      pad(d.getUTCDate()) + ' ' + pad(d.getUTCHours()) + ':' +
      pad(d.getUTCMinutes()) + ':' + pad(d.getUTCSeconds()) + ' UTC';
  };
  const short = (v) => {
    const a = Math.abs(v);
    const units = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e4, 'k']];
    for (const [size, letter] of units)
      if (a >= size)
        return (v / (letter === 'k' ? 1e3 : size)).toPrecision(3) + letter;
    return a >= 1000 ? v.toFixed(0) : String(Number(v.toPrecision(3)));
  };
  /* The points of a path that svg.c wrote: M absolute, l, h, v relative. */
  const points = (path) => {
    const out = [];
    let x = 0, y = 0;
    for (const [, op, rest] of
      path.getAttribute('d').matchAll(/([Mlhv])([^Mlhvz]*)/g)) {
      const n = (rest.match(/-?\d+/g) || []).map(Number);
      if (op === 'M') [x, y] = n;
      else if (op === 'h') x += n[0];
      else if (op === 'v') y += n[0];
      else { x += n[0]; y += n[1]; }
      out.push([x, y]);
    }
    return out;
  };
  const nearest = (list, x) => list.reduce((best, p) =>
    Math.abs(p[0] - x) < Math.abs(best[0] - x) ? p : best, [Infinity, 0]);
  const line = (plot) => {
    const l = document.createElementNS(NS, 'line');
    l.setAttribute('class', 'cross');
    l.setAttribute('vector-effect', 'non-scaling-stroke');
    plot.append(l);
    return l;
  };
  const readout = (svg) => {
    const p = document.createElement('p');
    p.className = 'read';
    p.setAttribute('role', 'status');
    svg.after(p);
    return p;
  };
  const keys = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
    ArrowDown: [0, 1], Home: [-Infinity, 0], End: [Infinity, 0],
    PageUp: [-10, 0], PageDown: [10, 0],
  };
  /*
   * Call back with the place in the plot, 0 to 1 each way, and what is under
   * the pointer; null: it left. Keys go by `steps` across and down. A screen
   * reader hears what keys ask for, not every move of a pointer.
   */
  const follow = (svg, plot, steps, text, tell) => {
    let at = null;
    const go = (place, target, live) => {
      at = place;
      text.setAttribute('aria-live', live ? 'polite' : 'off');
      tell(at, target);
    };
    svg.addEventListener('pointermove', (e) => {
      const box = plot.getBoundingClientRect();
      const x = (e.clientX - box.left) / box.width;
      const y = (e.clientY - box.top) / box.height;
      const inside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
      go(inside ? [x, y] : null, e.target, false);
    });
    svg.addEventListener('pointerleave', () => go(null, svg, false));
    svg.addEventListener('blur', () => go(null, svg, false));
    svg.addEventListener('keydown', (e) => {
      const move = keys[e.key];
      if (e.key === 'Escape') go(null, svg, false);
      if (!move || e.ctrlKey || e.altKey || e.metaKey) return;
      const from = at || [0.5 / steps[0], 0.5 / steps[1]];
      /* Where there is one way only, all keys go it: left is down. */
      const way = steps[0] === 1 && !move[1] ? [0, -move[0]] : move;
      const by = at || way.some((n) => !isFinite(n)) ? way : [0, 0];
      go(by.map((n, i) => Math.min(1 - 0.5 / steps[i],
        Math.max(0.5 / steps[i], from[i] + n / steps[i]))), svg, true);
      e.preventDefault();
    });
    svg.setAttribute('tabindex', '0');
    svg.setAttribute('role', 'application');
  };
  const nameOf = (path) => {
    const title = path && path.querySelector('title');
    return title ? title.textContent : '';
  };
  const chart = (svg) => {
    const plot = svg.querySelector('.plot');
    const lines = [...plot.querySelectorAll('.suspect, .middle')]
      .map((path) => ({ name: nameOf(path), points: points(path) }));
    const [lo, hi] = pair(svg.dataset.x), [low, high] = pair(svg.dataset.y);
    const time = svg.dataset.time && pair(svg.dataset.time);
    const unit = svg.dataset.unit ? ' ' + svg.dataset.unit : '';
    const text = readout(svg), cross = line(plot);
    const wide = plot.viewBox.baseVal.width, tall = plot.viewBox.baseVal.height;
    const atX = (share) => {
      const v = lo + share * (hi - lo);
      return time ? clock(time[0] + v * time[1]) : '';
    };
    follow(svg, plot, [time ? 100 : 1, time ? 1 : 20], text, (at, target) => {
      cross.setAttribute('visibility', at ? 'visible' : 'hidden');
      if (!at) { text.textContent = ''; return; }
      const say = time ? [atX(at[0])] : [];
      const x = at[0] * wide, y = at[1] * tall;
      if (time) {
        cross.setAttribute('x1', x); cross.setAttribute('x2', x);
        cross.setAttribute('y1', 0); cross.setAttribute('y2', tall);
      } else {
        cross.setAttribute('y1', y); cross.setAttribute('y2', y);
        cross.setAttribute('x1', 0); cross.setAttribute('x2', wide);
        say.push(Math.round(100 * (1 - at[1])) + ' % at or below');
      }
      for (const l of lines) {
        const p = time ? nearest(l.points, x) :
          nearest(l.points.map(([a, b]) => [b, a]), y).slice().reverse();
        const v = time ? low + (1 - p[1] / tall) * (high - low) :
          lo + p[0] / wide * (hi - lo);
        if (isFinite(v)) say.push(l.name + ' ' + short(v) + unit);
      }
      if (target.classList.contains('peer')) say.push(nameOf(target));
      text.textContent = say.join(' · ');
    });
  };
  const map = (svg) => {
    const plot = svg.querySelector('.plot');
    const rows = [...plot.querySelectorAll('g')];
    const columns = Number(svg.dataset.columns);
    const [from, to] = pair(svg.dataset.time);
    const words = JSON.parse(svg.closest('figure').dataset.levels);
    const text = readout(svg);
    /* The level of a cell, by the paths that svg_map.c wrote. */
    const level = (row, column) => {
      for (const path of row.querySelectorAll('path'))
        for (const [, x, wide] of
          path.getAttribute('d').matchAll(/M(\d+) [\d.]+h(\d+)/g))
          if (column >= Number(x) && column < Number(x) + Number(wide))
            return Number(path.className.baseVal.slice(1));
      return 0;
    };
    follow(svg, plot, [columns, rows.length], text, (at) => {
      if (!at) { text.textContent = ''; return; }
      const row = rows[Math.min(rows.length - 1,
        Math.floor(at[1] * rows.length))];
      const column = Math.min(columns - 1, Math.floor(at[0] * columns));
      text.textContent = [nameOf(row),
        clock(from + column / columns * (to - from)),
        words[level(row, column)]].join(' · ');
    });
  };
  for (const svg of document.querySelectorAll('svg.chart'))
    (svg.classList.contains('map') ? map : chart)(svg);
  addEventListener('beforeprint', () => {
    for (const d of document.querySelectorAll('details')) d.open = true;
  });
})();
