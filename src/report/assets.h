/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of web/ as text, made by tools/embed, and their hashes as a
 * Content-Security-Policy wants them: "sha256-...".
 */
#ifndef LP_REPORT_ASSETS_H
#define LP_REPORT_ASSETS_H

extern const char lp_asset_report_css[], lp_asset_report_css_hash[];
extern const char lp_asset_report_js[], lp_asset_report_js_hash[];

#endif
