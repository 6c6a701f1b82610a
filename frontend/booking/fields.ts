// Fields of the visitors' pages: formatted while they are typed.
import { edited, type Mask } from '../src/lib/masks.js';

/**
 * Formats a field while it is typed, such as a number pasted with +55 as (11) 91234-5678. `complete`: completes it when the
 * field is left; null if it cannot be completed.
 */
export function masked(
  field: HTMLInputElement,
  mask: Mask,
  complete?: (text: string) => string | null,
): void {
  let shown = field.value;
  field.addEventListener('input', (event) => {
    const { value: text, selectionStart } = field;
    const forward = event.inputType === 'deleteContentForward';
    const edit = edited(mask, shown, { text, cursor: selectionStart ?? text.length }, forward);
    shown = edit.text;
    field.value = shown;
    // The browser may have filled it in while another field has the focus.
    if (document.activeElement === field) field.setSelectionRange(edit.cursor, edit.cursor);
  });
  field.addEventListener('blur', () => {
    shown = complete?.(field.value) ?? field.value;
    field.value = shown;
  });
}
