import { useState } from 'react';
import { readDraft, writeDraft } from '../../lib/browser-drafts.js';

const DRAFT = 'configuracao-inicial';

/** What was typed so far, question by question: it survives a reload. Null before the beginning. */
export function useTypedAnswers() {
  const [typed, setTyped] = useState(() => readDraft<{ respostas: string[] }>(DRAFT).respostas ?? null);

  const keep = (answers: string[] | null) => {
    setTyped(answers);
    writeDraft(DRAFT, answers ? { respostas: answers } : {});
  };

  return [typed, keep] as const;
}
