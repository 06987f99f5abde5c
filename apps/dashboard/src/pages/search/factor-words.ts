/** What each factor of a score says to a person. */
const WORDS: Readonly<Record<string, string>> = {
  words: 'Its words match',
  meaning: 'Its meaning is close',
  recency: 'How recent it is',
  module: 'In the chosen module',
  access: 'How often it was used',
  chunks: 'Words in the file',
  passages: 'Passages close in meaning',
  name: 'Words in the file name',
  path: 'Words in the path',
  compound: 'The name as one word',
  definition: 'Defines a name you typed',
  pasted: 'Contains text you pasted',
  said: 'Contains the message in English',
  traced: 'Named in a stack trace',
  commits: 'Changed by commits about this',
  recent: 'Changed often and recently',
  central: 'Named in many other files',
  passage: 'This passage in the file',
  test: 'A test, so lower',
  example: 'An example, so lower',
  prose: 'Documentation, so lower',
  resource: 'A template or a data file, so lower',
  declaration: 'Only a declaration, so lower',
  compat: 'Compatibility code, so lower',
  otherPlatform: 'For another platform, so lower',
}

export function factorWords(name: string): string {
  return WORDS[name] ?? name
}
