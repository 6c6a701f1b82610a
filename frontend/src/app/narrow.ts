import { STUDENT_PAGES } from '../lib/student-pages.js';

/** Public pages. */
export const OPEN_PAGES = /^\/(cadastro|aceitar|termos|avisos|minha-area|dev)(\/|$)/;

/** Pages of one column under the logo: public pages and those of the student. */
export const NARROW_PAGES =
  /^\/(aluno|agenda\/[^/]+|auth|cadastro|aceitar|termos|avisos|minha-area|dev)(\/|$)/;

/** Class of the placeholder of a page while its code is loaded (see `ui/boot.css`). */
export function shellOf(pathname: string): string {
  if (STUDENT_PAGES.test(pathname)) return 'narrow student';
  return NARROW_PAGES.test(pathname) ? 'narrow' : 'trainer';
}
