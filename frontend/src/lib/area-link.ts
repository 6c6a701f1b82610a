let token: string | null = null;

/** The link by which this page shows a student's area to whoever has it; null on all other pages. */
export const areaLink = (): string | null => token;

export function enterByLink(given: string | null): void {
  token = given;
}
