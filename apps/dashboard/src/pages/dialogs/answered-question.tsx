/** The question of the agent without which a bare reply means nothing. */
export function AnsweredQuestion({ question }: { readonly question: string | undefined }) {
  return question ? <p class="quiet-line clamp">Answers: {question}</p> : null
}
