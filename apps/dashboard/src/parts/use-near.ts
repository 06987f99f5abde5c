import type { Ref } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** Whether an element has come near the screen; once it has, it stays so. */
export function useNear<E extends Element>(): readonly [place: Ref<E>, near: boolean] {
  const place = useRef<E>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (near || !place.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: '50%',
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [near])
  return [place, near]
}
