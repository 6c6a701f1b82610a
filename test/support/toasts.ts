import type { Page } from 'playwright-core';

const hide = (page: Page, isHidden: boolean) =>
  page.evaluate(`(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));
  })()`);

/**
 * Has the toasts of a page stay, as those of a page that nobody sees, until they are let go or the page is loaded anew:
 * what the test does between a toast and its button may take longer than the toast.
 */
export const holdToasts = (page: Page) => hide(page, true);
export const letToastsGo = (page: Page) => hide(page, false);

/** Taps "Desfazer" in the toast of that title: older ones may lie behind it. */
export async function undo(page: Page, title: string): Promise<void> {
  await page
    .locator('[data-sonner-toast]', { hasText: title })
    .getByRole('button', { name: 'Desfazer' })
    .first()
    .click();
  // A toast under the pointer stays, and with it over what is tapped next.
  await page.mouse.move(0, 0);
}
