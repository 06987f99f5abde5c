/** Which task is meant: by its number, or by words of its title. */
export type TaskReference = { readonly id: number } | { readonly words: string }

export type TaskIntent =
  | { readonly kind: 'complete' | 'reopen' | 'delete'; readonly task?: TaskReference }
  | {
      readonly kind: 'update'
      readonly task?: TaskReference
      readonly title?: string
      readonly description?: string
    }

export type Intent =
  | TaskIntent
  | { readonly kind: 'add'; readonly title?: string; readonly description?: string }
  | { readonly kind: 'list'; readonly completed?: boolean }
  | { readonly kind: 'unsupported'; readonly wish: string }
  | { readonly kind: 'undo' | 'greeting' | 'help' | 'unknown' }
