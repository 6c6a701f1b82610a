let token: string | null = null;

/** The link by which this page shows a student's area to whoever has it; null on all other pages. */
export const areaLink = (): string | null => token;

export function enterByLink(given: string | null): void {
  token = given;
}

/** A page of the student's area, behind the link where one led here. */
export const ownPath = (page: '' | '/extrato'): string =>
  token === null ? `/aluno${page}` : `/minha-area/${encodeURIComponent(token)}${page}`;
