import { Button, Modal, Progress, TextInput } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Progress.layer.css';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { onboardingData, type OnboardingData } from '../../../../backend/modules/settings/settings.api.js';
import { useSend } from '../../lib/command.js';
import { formatMoney } from '../../lib/money.js';
import { ChoiceChip, ChoiceChips } from '../../ui/choice-chip.js';
import { Icon } from '../../ui/icon.js';
import { toast } from '../../ui/toast.js';
import classes from './onboarding.module.css';
import { doubtAbout, hints, isChosen, questions, readAnswer, toggled, understood } from './questions.js';
import { readDraft, writeDraft } from '../../lib/browser-drafts.js';

const DRAFT = 'configuracao-inicial';

/** The answers so far, which survive a reload; null before the start. */
function useTypedAnswers() {
  const [typed, setTyped] = useState(() => readDraft<{ respostas: string[] }>(DRAFT).respostas ?? null);

  const keep = (answers: string[] | null) => {
    setTyped(answers);
    writeDraft(DRAFT, answers ? { respostas: answers } : {});
  };

  return [typed, keep] as const;
}

/** Spec 1, section 9. */
const BETWEEN_QUESTIONS_MS = 500;
const BEFORE_CLOSING_MS = 2000;

interface OnboardingDialogProps {
  onSaved: () => void;
  onClose: () => void;
  onSignOut: () => void;
}

export default function OnboardingDialog(props: OnboardingDialogProps) {
  const [typed, keep] = useTypedAnswers();
  const wide = useMediaQuery('(min-width: 48em)', false, { getInitialValueInEffect: false });
  return (
    <Modal
      opened
      onClose={() => undefined}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      fullScreen={!wide}
      centered
      size={560}
      radius={wide ? 'xl' : 0}
      title="Configuração Inicial"
      classNames={{
        content: classes.content,
        header: classes.header,
        title: classes.title,
        body: classes.body,
      }}
    >
      {typed ? (
        <Chat typed={typed} keep={keep} {...props} />
      ) : (
        <div className={classes.start}>
          <span className={classes.emblem}>
            <Icon name="coins" size={32} />
          </span>
          <p>
            São 11 perguntas rápidas para definir suas metas e sua reserva. Você pode parar e continuar depois
            de onde parou.
          </p>
          <Button data-autofocus fullWidth onClick={() => keep([])}>
            Começar Configuração
          </Button>
          <Button variant="subtle" fullWidth onClick={props.onSignOut}>
            Sair
          </Button>
        </div>
      )}
    </Modal>
  );
}

type ChatProps = OnboardingDialogProps & { typed: string[]; keep: (answers: string[] | null) => void };

function Chat({ typed, keep, onSaved, onClose }: ChatProps) {
  const [answer, setAnswer] = useState('');
  const [hint, setHint] = useState<string | null>(null);
  /** The answer that the trainer was asked to check. */
  const [doubted, setDoubted] = useState<string | null>(null);
  const [asked, setAsked] = useState(typed.length);
  const { mutateAsync, isPending, isSuccess } = useSend('POST /onboarding');
  const end = useRef<HTMLDivElement>(null);
  const reply = useRef<HTMLInputElement>(null);
  const chips = useRef<HTMLDivElement>(null);
  const question = questions[typed.length];
  const waiting = question !== undefined && asked < typed.length;
  const isTouched = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  // A focused field would open the phone's keyboard over the choices.
  const isTapped = isTouched && question?.choices !== undefined;

  useEffect(() => {
    if (waiting) return;
    (isTapped ? chips.current?.querySelector('button') : reply.current)?.focus();
  }, [waiting, typed.length, isTapped]);

  useEffect(() => {
    if (!waiting) return undefined;
    const timer = setTimeout(() => setAsked(typed.length), BETWEEN_QUESTIONS_MS);
    return () => clearTimeout(timer);
  }, [waiting, typed.length]);

  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' });
  }, [asked, typed.length, hint]);

  const save = async (answers: readonly string[]) => {
    const body = Object.fromEntries(
      questions.map(({ field, kind }, index) => [field, readAnswer(kind, answers[index] ?? '')]),
    );
    try {
      await mutateAsync(body as OnboardingData);
      onSaved();
      toast.success('Onboarding concluído!', {
        description: 'Seu perfil financeiro foi configurado com sucesso.',
      });
      setTimeout(() => {
        keep(null);
        onClose();
      }, BEFORE_CLOSING_MS);
    } catch {
      toast.error('Erro ao salvar', {
        description: 'Não foi possível salvar seu perfil. Tente novamente.',
      });
    }
  };

  const change = (text: string) => {
    setAnswer(text);
    setDoubted(null);
    setHint(null);
  };

  const give = (text: string) => {
    if (!question || waiting || text.trim() === '') return;
    const value = readAnswer(question.kind, text);
    if (value === null) {
      setHint(hints[question.kind]);
      return;
    }
    const refused = onboardingData.shape[question.field].safeParse(value).error?.issues[0];
    if (refused) {
      setHint(refused.message);
      return;
    }
    const doubt = doubtAbout(question.field, value, revenueIn(typed));
    if (doubt !== null && doubted !== text) {
      setHint(doubt);
      setDoubted(text);
      return;
    }
    const answers = [...typed, text.trim()];
    keep(answers);
    change('');
    if (answers.length === questions.length) void save(answers);
  };

  const send = (event: FormEvent) => {
    event.preventDefault();
    give(answer);
  };

  const choose = (choice: string) => {
    if (question?.kind === 'yes-no') give(choice);
    else change(toggled(answer, choice));
  };

  const correct = () => {
    change(typed.at(-1) ?? '');
    setAsked(typed.length - 1);
    keep(typed.slice(0, -1));
  };

  const reached = Math.min(typed.length + 1, questions.length);
  const percent = Math.round((reached / questions.length) * 100);

  return (
    <>
      <div>
        <div className={classes.progressHead}>
          <span>{question?.block ?? 'Perguntas respondidas'}</span>
          <span>{percent}% completo</span>
        </div>
        <Progress value={percent} size={8} radius="xl" aria-label="Progresso da configuração" />
      </div>
      <div className={classes.messages} role="log" aria-label="Conversa" tabIndex={0}>
        {questions.slice(0, Math.min(asked, typed.length) + 1).map(({ field, kind, text }, index) => (
          <div key={field} className={classes.turn}>
            <p className={classes.question}>{text}</p>
            {typed[index] !== undefined && (
              <p className={classes.answer}>
                {kind === 'money' ? formatMoney(readAnswer(kind, typed[index]) as number) : typed[index]}
              </p>
            )}
          </div>
        ))}
        {hint && <p className={classes.hint}>{hint}</p>}
        {isSuccess && <p className={classes.question}>Pronto! Suas metas já estão preenchidas.</p>}
        <div ref={end} />
      </div>
      {question && !waiting && (doubted !== null || question.choices) && (
        <div ref={chips}>
          <ChoiceChips label="Respostas">
            {doubted !== null && <ChoiceChip onClick={() => give(doubted)}>Está certo</ChoiceChip>}
            {question.choices?.map((choice) => (
              <ChoiceChip
                key={choice}
                onClick={() => choose(choice)}
                {...(question.kind !== 'yes-no' && { 'aria-pressed': isChosen(answer, choice) })}
              >
                {choice}
              </ChoiceChip>
            ))}
          </ChoiceChips>
        </div>
      )}
      {question ? (
        <form id="configuracao-inicial" className={classes.reply} onSubmit={send}>
          <TextInput
            ref={reply}
            className={classes.field}
            aria-label={question.text}
            placeholder="Digite sua resposta..."
            autoComplete="off"
            // Not the decimal keyboard for money: "10 mil" and "8k" have letters.
            inputMode={question.kind === 'count' ? 'numeric' : undefined}
            maxLength={300}
            value={answer}
            onChange={(event) => change(event.currentTarget.value)}
          />
          <Button type="submit" aria-label="Enviar" className={classes.send} disabled={waiting}>
            <Icon name="up" />
          </Button>
          {question.kind === 'money' && (
            <p className={classes.understood} role="status">
              {understood(question, answer)}
            </p>
          )}
        </form>
      ) : (
        !isSuccess && (
          <Button loading={isPending} onClick={() => void save(typed)}>
            Salvar respostas
          </Button>
        )
      )}
      {typed.length > 0 && !isPending && !isSuccess && (
        <Button variant="subtle" size="sm" onClick={correct} leftSection={<Icon name="undo" size={18} />}>
          Corrigir resposta anterior
        </Button>
      )}
    </>
  );
}

const REVENUE = questions.findIndex(({ field }) => field === 'faturamento_mensal_medio');

/** The revenue of a month in the answers so far, in cents. */
const revenueIn = (typed: readonly string[]) => Number(readAnswer('money', typed[REVENUE] ?? '') ?? 0);
