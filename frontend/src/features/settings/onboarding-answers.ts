import { useState } from 'react';
import { readDraft, writeDraft } from '../../lib/browser-drafts.js';

const DRAFT = 'configuracao-inicial';

/** The answers so far, which survive a reload; null before the start. */
export function useTypedAnswers() {
  const [typed, setTyped] = useState(() => readDraft<{ respostas: string[] }>(DRAFT).respostas ?? null);

  const keep = (answers: string[] | null) => {
    setTyped(answers);
    writeDraft(DRAFT, answers ? { respostas: answers } : {});
  };

  return [typed, keep] as const;
}
