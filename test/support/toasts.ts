import type { Page } from 'playwright-core';

const hide = (page: Page, isHidden: boolean) =>
  page.evaluate(`(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));
  })()`);

/**
 * Keeps the toasts of a page, like those of a hidden page, until `letToastsGo` or a reload, because the test's steps before it
 * presses a toast's button may take longer than the toast is shown.
 */
export const holdToasts = (page: Page) => hide(page, true);
export const letToastsGo = (page: Page) => hide(page, false);

/** Closes all toasts. */
export async function dropToasts(page: Page): Promise<void> {
  await letToastsGo(page);
  await page.evaluate(
    "document.querySelectorAll('[data-sonner-toast] [data-close-button]').forEach((each) => each.click())",
  );
}

/** Taps "Desfazer" in the toast with this title, or in the open sheet that says it; older toasts may lie behind it. */
export async function undo(page: Page, title: string): Promise<void> {
  await page
    .locator('[data-sonner-toast], [data-said]', { hasText: title })
    .getByRole('button', { name: 'Desfazer' })
    .first()
    .click();
  // Move the pointer away: a toast under the pointer does not close, and would cover the next button.
  await page.mouse.move(0, 0);
}
