/** The tenant, and for a student's page the student, that requests name in `Rende-Tenant` and `Rende-Student`. */
export interface Place {
  readonly tenantId: string;
  /** Null or missing for the trainer. */
  readonly studentId?: string | null;
}

/** Null until `GET /me` has answered. */
let current: Place | null = null;
let chosenAt = 0;
const positions = new Map<string, number>();

export const currentPlace = (): Place | null => current;

export const isSamePlace = (one: Place | null, other: Place | null): boolean =>
  one?.tenantId === other?.tenantId && (one?.studentId ?? null) === (other?.studentId ?? null);

export function choosePlace(place: Place | null): void {
  if (!isSamePlace(place, current)) chosenAt = performance.now();
  current = place;
}

/** How long ago this page may have begun to read the place's data, in milliseconds. */
export const readingFor = (): number => Math.ceil(performance.now() - chosenAt);

/** Stores the latest known position of a tenant's log, so that later reads include it. */
export function notePosition(tenantId: string, position: number): void {
  positions.set(tenantId, Math.max(position, positions.get(tenantId) ?? 0));
}

export const positionOf = (tenantId: string): number | null => positions.get(tenantId) ?? null;

export function forgetPositions(): void {
  positions.clear();
}

const PREFERRED = 'rende.tenant';

/** Undefined until it was read: another window's choice does not move this one to another person's page. */
let preferred: string | null | undefined;

/** The student, or the trainer's tenant, that a user with several ones chose last in this window, or before in this browser. */
export function preferredPlace(): string | null {
  if (preferred !== undefined) return preferred;
  try {
    preferred = sessionStorage.getItem(PREFERRED) ?? localStorage.getItem(PREFERRED);
  } catch {
    preferred = null;
  }
  return preferred;
}

export function preferPlace(id: string): void {
  preferred = id;
  try {
    sessionStorage.setItem(PREFERRED, id);
    localStorage.setItem(PREFERRED, id);
  } catch {
    // Without storage, the first one is chosen in each window.
  }
}

const STUDENT = 'rende.student';

/** Stores whether the signed-in user is only a student: opening `/` then leads to `/aluno` at once (index.html). */
export function noteStudent(userId: string | null): void {
  try {
    if (userId) localStorage.setItem(STUDENT, userId);
    else localStorage.removeItem(STUDENT);
  } catch {
    // Without storage, the trainer's shell is shown until the user is known.
  }
}
