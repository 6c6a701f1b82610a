// Fields of the visitors' pages: formatted while they are typed.
import { edited, type Mask } from '../src/lib/masks.js';
import { completePhone, maskPhone, phoneCode, withPhoneCode } from '../src/lib/phone-mask.js';

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

/** A phone, whose country is chosen beside it, or typed after a plus. */
export function phoneField(field: HTMLInputElement): void {
  masked(field, maskPhone, completePhone);
  const country = field.closest('.phone')!.querySelector('select')!;
  const chosen = () => String(parseInt(country.value, 10));
  const follow = () => {
    const code = phoneCode(field.value);
    // Several countries have the same code.
    if (chosen() !== code) country.value = code;
  };
  country.disabled = false;
  country.addEventListener('change', () => {
    field.value = withPhoneCode(field.value, chosen());
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  field.addEventListener('input', follow);
  // On going back to the page, the browser has restored the fields without an event.
  window.addEventListener('pageshow', follow);
  follow();
}
