/** Where the window remembers when its list of dialogs was cleared. */
export const CLEARED_AT = 'clearedAt'
