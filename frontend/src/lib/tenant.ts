/** The tenant that requests name in `Rende-Tenant`; null until `GET /me` has answered. */
let current: string | null = null;
let chosenAt = 0;
const positions = new Map<string, number>();

export const currentTenant = (): string | null => current;

export function chooseTenant(tenantId: string | null): void {
  if (tenantId !== current) chosenAt = performance.now();
  current = tenantId;
}

/** How long ago this page may have begun to read the tenant's data, in milliseconds. */
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

/** The tenant that the user with several ones chose last in this browser. */
export function preferredTenant(): string | null {
  try {
    return localStorage.getItem(PREFERRED);
  } catch {
    return null;
  }
}

export function preferTenant(tenantId: string): void {
  try {
    localStorage.setItem(PREFERRED, tenantId);
  } catch {
    // Without storage, the first tenant is chosen each time.
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
