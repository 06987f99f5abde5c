// How the server is bundled: everything it needs is inside, only packages with native parts stay outside.
export const SERVER_BUNDLE = {
  bundle: true,
  splitting: true,
  inject: ['scripts/start-path.ts'],
  chunkNames: 'parts/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  legalComments: 'none',
  metafile: true,
  // Its main file asks for its parts by names that no bundler can see.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  external: ['@photostructure/sqlite', 'pg-native', '@vscode/ripgrep'],
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
}
