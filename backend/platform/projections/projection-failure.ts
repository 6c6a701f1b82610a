/**
 * Whether trying again may help: the database was not there (08, 57), short of something (53), had a fault of its own
 * (58), chose this transaction as a victim (40, 55), or ended it because nothing came for too long (25P03, as after a
 * frozen worker thaws). Anything else is the event's or the projection's own fault.
 */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return (error as Error).message?.includes('onnection') ?? false;
  return /^(08|25P03|40|53|55|57|58)/.test(code) || /^E[A-Z]+$/.test(code);
}

/** Whether the database could not be asked at all. */
export function isOutOfReach(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return (error as Error).message?.includes('onnection') ?? false;
  return /^(08|57P)/.test(code) || /^E[A-Z]+$/.test(code);
}

/** What failed and where, without the values: they may be personal. */
export function whatFailed(error: unknown): string {
  const where =
    (error as Error).stack
      ?.split('\n')[1]
      ?.trim()
      .replace(/\(?[^( ]*\/([^/]+)\)?$/, '$1') ?? '';
  return `${codeOf(error) ?? (error as Error).name} ${where}`.trim();
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}
