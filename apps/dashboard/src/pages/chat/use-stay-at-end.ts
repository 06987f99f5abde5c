import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

const NEAR_PX = 80

/**
 * Keeps the end of a growing conversation in sight for whoever is there, and leaves everybody else where they read. What the
 * person says, and another conversation, begin at the end again.
 */
export function useStayAtEnd(
  conversation: string | undefined,
  saidByPerson: number,
  grows: readonly unknown[],
): void {
  const there = useRef(true)
  useEffect(() => {
    const look = () => {
      there.current =
        window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - NEAR_PX
    }
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  useLayoutEffect(() => {
    there.current = true
  }, [conversation, saidByPerson])
  useLayoutEffect(() => {
    if (there.current && saidByPerson > 0) window.scrollTo(0, document.documentElement.scrollHeight)
  }, grows)
}
