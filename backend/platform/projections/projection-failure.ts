/**
 * Whether a retry may help: the database was not available (08, 57), lacked resources (53), had a system error (58), aborted this
 * transaction in a conflict (40, 55), ended it for being idle or running too long (25P03, 25P04, as after a frozen worker
 * resumes), or only reads, as a former primary does (25006). Any other error is caused by the event or the projection.
 */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return (error as Error).message?.includes('onnection') ?? false;
  return /^(08|25006|25P0[34]|40|53|55|57|58)/.test(code) || /^E[A-Z]+$/.test(code);
}

/** Whether the database could not be reached. */
export function isOutOfReach(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return (error as Error).message?.includes('onnection') ?? false;
  return /^(08|57P)/.test(code) || /^E[A-Z]+$/.test(code);
}

/** Describes the failure and its place without values, which may be personal. */
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
