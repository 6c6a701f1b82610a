import { Button, Modal, Progress, TextInput } from '@mantine/core';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Progress.layer.css';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import type { OnboardingData } from '../../../../backend/modules/settings/settings.api.js';
import { Icon } from '../../ui/icon.js';
import { toast } from '../../ui/toast.js';
import { useTypedAnswers } from './onboarding-answers.js';
import classes from './onboarding.module.css';
import { hints, keyboards, questions, readAnswer } from './questions.js';
import { useCompleteOnboarding } from './settings.queries.js';

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
  const [asked, setAsked] = useState(typed.length);
  const { mutateAsync, isPending, isSuccess } = useCompleteOnboarding();
  const end = useRef<HTMLDivElement>(null);
  const reply = useRef<HTMLInputElement>(null);
  const question = questions[typed.length];
  const waiting = question !== undefined && asked < typed.length;

  useEffect(() => reply.current?.focus(), []);

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

  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!question || waiting || answer.trim() === '') return;
    if (readAnswer(question.kind, answer) === null) {
      setHint(hints[question.kind]);
      return;
    }
    const answers = [...typed, answer.trim()];
    keep(answers);
    setAnswer('');
    setHint(null);
    if (answers.length === questions.length) void save(answers);
  };

  const correct = () => {
    setAnswer(typed.at(-1) ?? '');
    setHint(null);
    setAsked(typed.length - 1);
    keep(typed.slice(0, -1));
    reply.current?.focus();
  };

  const reached = Math.min(typed.length + 1, questions.length);
  const percent = Math.round((reached / questions.length) * 100);

  return (
    <>
      <div className={classes.progress}>
        <div className={classes.progressHead}>
          <span>{question?.block ?? 'Perguntas respondidas'}</span>
          <span>{percent}% completo</span>
        </div>
        <Progress value={percent} size={8} radius="xl" aria-label="Progresso da configuração" />
      </div>
      <div className={classes.messages} role="log" aria-label="Conversa" tabIndex={0}>
        {questions.slice(0, Math.min(asked, typed.length) + 1).map(({ field, text }, index) => (
          <div key={field} className={classes.turn}>
            <p className={classes.question}>{text}</p>
            {typed[index] !== undefined && <p className={classes.answer}>{typed[index]}</p>}
          </div>
        ))}
        {hint && <p className={classes.hint}>{hint}</p>}
        {isSuccess && <p className={classes.question}>Pronto! Suas metas já estão preenchidas.</p>}
        <div ref={end} />
      </div>
      {question ? (
        <form className={classes.reply} onSubmit={send}>
          <TextInput
            ref={reply}
            data-autofocus
            className={classes.field}
            aria-label={question.text}
            placeholder="Digite sua resposta..."
            autoComplete="off"
            inputMode={keyboards[question.kind]}
            maxLength={300}
            value={answer}
            onChange={(event) => setAnswer(event.currentTarget.value)}
          />
          <Button type="submit" aria-label="Enviar" className={classes.send} disabled={waiting}>
            <Icon name="up" />
          </Button>
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
