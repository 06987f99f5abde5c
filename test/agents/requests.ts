const paste = Array.from(
  { length: 60 },
  (_, line) => `at handler${line} (src/greet.js:${line + 1}:7)  "quoted" \\ 'single' <b>`,
).join('\n')

/** What people really type: several lines, quotes, another script, an emoji, a paste. */
export const requests = [
  'Greet people properly: say "Good morning", not `Hello`.\n\n  - keep the name\n  - поздоровайся вежливо 🙂',
  `This came up, please look:\n${paste}\nEnd of the paste.`,
  "Now write it down in docs/greet.md; don't touch anything else — $HOME, %PATH% & \\n stay as they are 🧪",
] as const

/** The one line of the project that changes. */
export const greeting = (word: string) => `export const greet = (name) => \`${word} \${name}\``
