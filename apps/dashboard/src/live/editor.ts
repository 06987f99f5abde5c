/** A frame may open no window: where the page is one, the editor around it follows what leads out of the page. */
export function leaveToEditor(event: MouseEvent, { href, origin }: HTMLAnchorElement): void {
  if (window.parent === window || origin === location.origin) return
  event.preventDefault()
  window.parent.postMessage({ open: href }, '*')
}
