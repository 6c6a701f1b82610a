/** Pages that are for everybody, signed in or not. */
export const OPEN_PAGES = /^\/(cadastro|convite|pagar|confirmar|assinar|minha-area|verificar|dev)(\/|$)/;

/** Pages of one column under the name of the product: everybody's, and the student's. */
export const NARROW_PAGES =
  /^\/(aluno|agenda\/[^/]+|auth|cadastro|convite|pagar|confirmar|assinar|minha-area|verificar|dev)(\/|$)/;

/** The student's among them: with a bar of places at the bottom of the phone. */
export const STUDENT_PAGES = /^\/(aluno|agenda\/[^/]+)(\/|$)/;

/** What the shape of a page stands in until its code has come (see `ui/boot.css`). */
export function shellOf(pathname: string): string {
  if (STUDENT_PAGES.test(pathname)) return 'narrow student';
  return NARROW_PAGES.test(pathname) ? 'narrow' : 'trainer';
}
