import type { Page } from 'playwright-core'

/**
 * What can be pressed and hangs out of the frame that it belongs to: of the screen, or of a card, a cell or a panel that has a border or a
 * background of its own. What a frame cuts off or scrolls is in order.
 */
export async function overhangs(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = []
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth) found.push('the page is ' + (scrollWidth - clientWidth) + ' px wider than the screen')
    for (const control of document.querySelectorAll('main a, main button, main input, main select, main textarea')) {
      const box = control.getBoundingClientRect()
      if (box.width === 0 || box.height === 0) continue
      for (let frame = control.parentElement; frame && frame.tagName !== 'MAIN'; frame = frame.parentElement) {
        const style = getComputedStyle(frame)
        if (style.overflowX !== 'visible') break
        const isSeen = parseFloat(style.borderRightWidth) > 0 || style.backgroundColor !== 'rgba(0, 0, 0, 0)'
        if (isSeen && box.right > frame.getBoundingClientRect().right + 1) {
          found.push('"' + (control.textContent || control.getAttribute('aria-label')) + '" hangs out of ' + frame.tagName + '.' + frame.className)
          break
        }
      }
    }
    return found
  })()`)
}
