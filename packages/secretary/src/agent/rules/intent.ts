/** Which task is meant: by its number, its place in the list (0 is the last), words of its title, or every one. */
export type TaskReference =
  | { readonly id: number }
  | { readonly position: number }
  | { readonly words: string }
  | { readonly all: true }

export type TaskIntent =
  | {
      readonly kind: 'complete' | 'reopen' | 'delete'
      readonly task?: TaskReference
      /** The title it had when the person was shown it among others. */
      readonly seen?: string
    }
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
  | { readonly kind: 'unsupported' | 'undo' | 'greeting' | 'help' | 'unknown' }
