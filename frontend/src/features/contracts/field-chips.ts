import { mergeFields, replaceFields } from '../../../../backend/modules/contracts/merge-fields.api.js';

/** Merge fields of a text that nobody has received yet, by their names. The server removes `mark` from texts that are typed. */
export const marked = (html: string) => replaceFields(html, (field) => `<mark>${mergeFields[field]}</mark>`);

/** A text as the editor reads it, with an element for each field. */
export const withChips = (html: string) =>
  replaceFields(html, (field) => `<span data-field="${field}">{{${field}}}</span>`);

/** The inverse of `withChips`: a text as it is stored. */
export const withoutChips = (html: string) =>
  html.replace(/<span data-field="\w+">(\{\{\w+\}\})<\/span>/g, '$1');
