/** Each sets `window.pwned` where it is taken for markup, for an address or for code. */
export const injections: readonly string[] = [
  '<script>window.pwned=1</script>',
  '<img src=x onerror="window.pwned=2">',
  '"><svg onload=window.pwned=3>',
  "'-window.pwned=4-'",
  '<iframe srcdoc="<script>parent.pwned=5</script>"></iframe>',
  '<a href="javascript:window.pwned=6" autofocus onfocus="window.pwned=6">press</a>',
  '[press](javascript:window.pwned=7)',
  '[press](JaVaScRiPt:window.pwned=8 "title")',
  '[press](data:text/html,<script>opener.pwned=9</script>)',
  '![picture](http://198.51.100.7/leak.png)',
  '<style>@import url(http://198.51.100.7/leak.css)</style>',
  '<math><mtext></p><style><img src=x onerror=window.pwned=10></style>',
  '</textarea><script>window.pwned=11</script>',
  '{{constructor.constructor("window.pwned=12")()}}',
  '`$' + '{window.pwned=13}`',
  '&lt;script&gt;window.pwned=14&lt;/script&gt;',
  '```html\n<script>window.pwned=15</script>\n```',
  '| <img src=x onerror=window.pwned=16> | b |\n|---|---|\n| <svg onload=window.pwned=17> | d |',
  '<http://198.51.100.7/"onmouseover="window.pwned=18>',
  '\u202egnp.exe\u2066 <object data="javascript:window.pwned=19"></object>\u2028window.pwned=20',
  '<form action="javascript:window.pwned=21"><button autofocus>x</button></form>',
  '__proto__',
]

/** Those that a file system takes as a name. */
export const hostileNames: readonly string[] = [
  '<img src=x onerror=window.pwned=30>.ts',
  '"onmouseover="window.pwned=31.ts',
  "'-window.pwned=32-'.ts",
  'javascript:window.pwned=33.ts',
]
