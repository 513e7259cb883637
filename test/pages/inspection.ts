import type { Page } from 'playwright-core';

/** Opens all collapsed elements. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
}

/** By how many pixels the page overflows the window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Every link of the page, absolute. */
export function linksOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>('Array.from(document.links, (link) => link.href)');
}

/** Visible text that is harder to read than WCAG AA allows (4.5 to 1), with what was measured. */
export function lowContrastTextOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FAINT_TEXT);
}

// Runs in the page; a text, because the types of this project know no DOM.
const FAINT_TEXT = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).map((value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if ((channels(colour)[3] ?? 1) > 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const lowContrast = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.data.trim();
    if (text === '' || element.closest('style, svg') || !element.checkVisibility()) continue;
    const pair = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
    const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (contrast < 4.5) lowContrast.add(contrast.toFixed(2) + ' ' + text.slice(0, 40));
  }
  return [...lowContrast];
})()`;
