/** Public pages. */
export const OPEN_PAGES = /^\/(cadastro|aceitar|termos|assinar|avisos|minha-area|dev)(\/|$)/;

/** Pages of one column under the logo: public pages and those of the student. */
export const NARROW_PAGES =
  /^\/(aluno|agenda\/[^/]+|auth|cadastro|aceitar|termos|assinar|avisos|minha-area|dev)(\/|$)/;

/** Those of the student, which have a navigation bar at the bottom of the phone. */
export const STUDENT_PAGES = /^\/(aluno|agenda\/[^/]+)(\/|$)/;

/** Class of the placeholder of a page while its code is loaded (see `ui/boot.css`). */
export function shellOf(pathname: string): string {
  if (STUDENT_PAGES.test(pathname)) return 'narrow student';
  return NARROW_PAGES.test(pathname) ? 'narrow' : 'trainer';
}
