let token: string | null = null;

/** The link by which this page shows a student's area without a sign-in; null on all other pages. */
export const areaLink = (): string | null => token;

export function enterByLink(given: string | null): void {
  token = given;
}

/** Address of a page of the student's area, below the link if the area was opened by one. */
export const ownPath = (page: '' | '/extrato' | '/pagamentos'): string =>
  token === null ? `/aluno${page}` : `/minha-area/${encodeURIComponent(token)}${page}`;
