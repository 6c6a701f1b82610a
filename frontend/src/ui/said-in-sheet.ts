import type { Toast } from './toast.js';

type Show = (toast: Toast) => void;

/** The open sheets, the last opened at the end. */
const sheets: Show[] = [];
let onPage: Show | null = null;

/** Shows toasts in the sheet on top while one is open, otherwise on the page. */
export const inSheetOr = (page: Show): Show => {
  onPage = page;
  return (toast) => (sheets.at(-1) ?? page)(toast);
};

export const openSheet = (show: Show): void => void sheets.push(show);

/** `left`: what it has just said, which is shown again. */
export function leaveSheet(show: Show, left: Toast | null): void {
  sheets.splice(sheets.lastIndexOf(show), 1);
  if (left) (sheets.at(-1) ?? onPage)?.(left);
}
