/** The look of the report: light and dark, on paper too. */
export const STYLE = `
:root{--paper:#fcfcfb;--ink:#1d1f23;--soft:#62666d;--line:#e3e4e1;--raised:#fff;--clean:#3f8f6b;--lossy:#d9822b;--refused:#c0453c;--minor:#b9bec6;--track:#eff0ed}
@media (prefers-color-scheme:dark){:root{--paper:#16181b;--ink:#e7e8ea;--soft:#a0a5ad;--line:#2c3035;--raised:#1d2024;--clean:#58b58b;--lossy:#e39b4f;--refused:#e06a61;--minor:#5b626c;--track:#262a2f}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
main{max-width:62rem;margin:0 auto;padding:3.5rem 1.5rem 4rem}
code{font:.88em/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
h1{font-size:2.1rem;line-height:1.2;letter-spacing:-.02em;margin:.1rem 0 .6rem;font-weight:650}
h1 code{font-size:.92em}
h2{font-size:1.15rem;margin:3rem 0 .9rem;font-weight:650}
p{margin:0}
.kicker{color:var(--soft);font-size:.85rem;letter-spacing:.02em}
.lead{font-size:1.12rem;color:var(--soft);max-width:44rem}
.note{margin-top:1rem;padding:.6rem .9rem;border-left:3px solid var(--lossy);background:var(--raised)}
.figures{margin-top:2rem}
.split{display:flex;gap:2px}
.figures .split{height:.75rem;border-radius:.375rem;overflow:hidden;background:var(--track)}
.split i{flex-basis:0}
.clean{background:var(--clean)}.lossy{background:var(--lossy)}.refused{background:var(--refused)}.minor{background:var(--minor)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:1rem;margin:1.3rem 0 0}
dt{color:var(--soft);font-size:.88rem;display:flex;align-items:center;gap:.45rem}
dd{margin:.1rem 0 0;font-size:1.55rem;font-weight:600;font-variant-numeric:tabular-nums;letter-spacing:-.01em}
.dot{width:.62rem;height:.62rem;border-radius:50%}
table{width:100%;border-collapse:collapse}
thead th{font-size:.82rem;font-weight:500;color:var(--soft);text-align:left;padding:0 .9rem .5rem 0;border-bottom:1px solid var(--line)}
tbody th,td{padding:.85rem .9rem .85rem 0;vertical-align:top;border-bottom:1px solid var(--line);text-align:left;font-weight:400}
tbody th code{font-weight:600}
tbody th p{color:var(--soft);font-size:.88rem;margin-top:.15rem}
td p{font-size:.94rem}
.where{color:var(--soft);font-size:.84rem;margin-top:.3rem}
.features th:first-child{width:31%}
.features .share{width:20%}
.models .share{width:45%}
.models tbody th,.models td{padding-top:.55rem;padding-bottom:.55rem;vertical-align:middle}
.number{text-align:right!important;font-variant-numeric:tabular-nums;white-space:nowrap}
th.number:last-child,td.number:last-child{padding-right:0}
.share span{font-size:.88rem;font-variant-numeric:tabular-nums;color:var(--soft)}
.bar{display:block;height:.5rem;border-radius:.25rem;background:var(--track);overflow:hidden;margin:.5rem 0 .2rem}
.bar>i{display:block;height:100%;min-width:2px;border-radius:.25rem}
.bar>.split{display:flex;overflow:hidden}
.tag{display:inline-block;font-size:.76rem;line-height:1.5;padding:0 .45rem;border:1px solid var(--line);border-radius:1rem;color:var(--soft);white-space:nowrap}
.tag.counted{border-color:var(--lossy);color:var(--lossy)}
details{border-bottom:1px solid var(--line);padding:.65rem 0}
summary{cursor:pointer}
summary span{color:var(--soft);font-size:.88rem;margin-left:.4rem}
summary:focus-visible{outline:2px solid var(--lossy);outline-offset:3px;border-radius:3px}
ul{margin:.6rem 0 0;padding-left:1.1rem}
li{margin:.4rem 0;font-size:.92rem}
footer{margin-top:3.5rem;color:var(--soft);font-size:.85rem}
@media (max-width:44rem){main{padding:2rem 1rem}h1{font-size:1.6rem}.features thead{position:absolute;clip-path:inset(50%)}.features tr{display:grid;grid-template-columns:1fr auto;border-bottom:1px solid var(--line);padding:.8rem 0}.features tbody th,.features td{border:0;padding:.15rem 0}.features tbody th,.features td:last-child{grid-column:1/-1}.features th:first-child,.features .share{width:auto}}
@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#ccc;--raised:#fff;--track:#eee}body{font-size:10.5pt}main{max-width:none;padding:0}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}tr,details,dl>div{break-inside:avoid}h2{break-after:avoid}}
`;
