import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { readDraft, writeDraft } from '../../lib/browser-drafts.js';
import { newKey } from '../../lib/command.js';
import { http, takeTopics } from '../../lib/http.js';
import { isTimeRefusal, messageOf } from '../../lib/problem.js';
import { refresh } from '../../lib/topics.js';
import { attempt, toast } from '../../ui/toast.js';
import { NoAnswer, readAnswer } from './answer.js';
import {
  type Card,
  commandOf,
  emptyAnswer,
  type Entry,
  messagesOf,
  question,
  textOf,
  wayBack,
  withDelta,
} from './conversation.js';

/** Draft of this browser window: its field `mensagem` stays until the window is closed or the user signs out. */
const DRAFT = 'consultor';
const MOST_KEPT = 60;

const kept = () => readDraft<{ mensagem: Entry[] }>(DRAFT).mensagem ?? [];

/** The conversation with the advisor: messages, the running answer, and the acts that were done. */
export function useConversation() {
  const client = useQueryClient();
  const [entries, setEntries] = useState(kept);
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  /** The complete answer, for screen readers. */
  const [said, setSaid] = useState('');
  const running = useRef<AbortController | null>(null);
  const current = useRef(entries);

  const show = (next: Entry[]) => {
    current.current = next.slice(-MOST_KEPT);
    setEntries(current.current);
    writeDraft(DRAFT, current.current.length > 0 ? { mensagem: current.current } : {});
  };

  useEffect(() => () => running.current?.abort(), []);

  const setCard = (key: string, changes: Partial<Card>) =>
    show(
      current.current.map((entry) =>
        entry.card?.key === key ? { ...entry, card: { ...entry.card, ...changes } } : entry,
      ),
    );

  /**
   * Sends a card's command with the card's key, so that it has one effect however often it is sent. The refusal of a session's
   * time offers to book it anyway.
   */
  const run = async (card: Card, anyway = false): Promise<void> => {
    const { path, body } = commandOf(card);
    try {
      const done = await http.post<{ id: string; payment_id?: string }>(path, card.key, {
        ...body,
        ...(anyway && { permitir_conflito: true }),
      });
      setCard(card.key, { estado: 'feito', id: done.id, volta: wayBack(card, done) });
      void refresh(client, takeTopics(card.key));
    } catch (error) {
      toast.error('Não foi possível concluir', {
        description: messageOf(error),
        ...(isTimeRefusal(error) && {
          action: { label: 'Agendar mesmo assim', onClick: () => void run(card, true) },
        }),
      });
    }
  };

  const undo = async (card: Card) => {
    const { volta } = card;
    if (!volta) return false;
    return attempt(async () => {
      const key = `${card.key}-desfazer`;
      await http.post(volta.path, key, volta.body);
      setCard(card.key, { estado: 'desfeito' });
      void refresh(client, takeTopics(key));
    }, 'Erro ao desfazer');
  };

  const send = async (text: string) => {
    const words = text.trim();
    if (words === '' || running.current) return;
    const control = new AbortController();
    running.current = control;
    setBusy(true);
    setTyped('');
    setSaid('');
    let answer = emptyAnswer;
    const asked = question(words);
    show([...current.current, asked]);
    // Cards of earlier answers may change meanwhile, so the conversation is read again each time.
    const before = () => current.current.slice(0, current.current.indexOf(asked));
    try {
      const response = await http.stream(
        '/financial-advisor',
        { messages: messagesOf(current.current), financialContext: {} },
        control.signal,
      );
      await readAnswer(response, (delta) => {
        answer = withDelta(answer, delta, newKey);
        show([...before(), asked, answer]);
      });
      setSaid(textOf(answer));
      const { card } = answer;
      if (card?.ato.tipo === 'lancamento' && card.ato.agora) await run(card);
    } catch (error) {
      // The conversation was cleared meanwhile: add nothing.
      if (running.current !== control) return;
      const isStopped = control.signal.aborted;
      // The part of a stopped answer stays; a failed question returns to the field.
      if (!isStopped || answer.pecas.length === 0) {
        show(before());
        setTyped((now) => now || words);
      }
      if (!isStopped)
        toast.error('Erro no chat', {
          description: error instanceof NoAnswer ? error.message : messageOf(error),
        });
    } finally {
      if (running.current === control) {
        running.current = null;
        setBusy(false);
      }
    }
  };

  return {
    entries,
    typed,
    setTyped,
    busy,
    said,
    send,
    run,
    undo,
    stop: () => running.current?.abort(),
    clear: () => {
      const awaited = running.current;
      running.current = null;
      awaited?.abort();
      setBusy(false);
      show([]);
      setSaid('');
    },
  };
}

export type Conversation = ReturnType<typeof useConversation>;
