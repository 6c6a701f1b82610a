import { useState } from 'react';

const key = (tenantId: string) => `rende.draft.onboarding.${tenantId}`;

function stored(tenantId: string): string[] | null {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key(tenantId)) ?? 'null');
    return Array.isArray(found) ? found.map(String) : null;
  } catch {
    return null;
  }
}

/** What was typed so far, question by question: it survives a reload. Null before the beginning. */
export function useTypedAnswers(tenantId: string) {
  const [typed, setTyped] = useState(() => stored(tenantId));

  const keep = (answers: string[] | null) => {
    setTyped(answers);
    try {
      if (answers) sessionStorage.setItem(key(tenantId), JSON.stringify(answers));
      else sessionStorage.removeItem(key(tenantId));
    } catch {
      // A browser that stores nothing begins anew after a reload.
    }
  };

  return [typed, keep] as const;
}
