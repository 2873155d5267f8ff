limpid simulate -o small small >/dev/null 2>&1
limpid diagnose --html page.html small >text
sed -n 1,3p text
grep -c '<section class="finding"' page.html
grep -o '<h1>.*</h1>' page.html
# Every element is closed, ids are unique, nothing is loaded.
cat >check.py <<'END'
import html.parser

VOID = {"meta"}
SELF = {"line", "path", "rect"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.names = [], [], set()

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self.see(attrs)

    def handle_startendtag(self, tag, attrs):
        assert tag in SELF, tag
        self.see(attrs)

    def see(self, attrs):
        self.ids += [v for k, v in attrs if k == "id"]
        self.names |= {k for k, _ in attrs}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())


page = Page()
page.feed(open("page.html", encoding="utf-8").read())
page.close()
assert not page.open, page.open
assert len(set(page.ids)) == len(page.ids)
assert not page.names & {"src", "srcset", "style"}, page.names
print("well-formed")
END
python3 check.py
# The old page stays if the new one cannot be made.
limpid diagnose --html page.html nothing-there
echo "status $?"
grep -c '<section class="finding"' page.html
limpid diagnose --html no/such/page.html small >text
echo "status $?"
cat text
# One is no plural.
limpid diagnose --html - --method cdf --window 1 --shift 1 --smooth 1 -k 1 small |
  grep -o 'moving average.*</li>' | head -1
