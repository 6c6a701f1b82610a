import { Button } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { Sheet } from '../../ui/sheet.js';
import classes from './session-form.module.css';
import { currentQuestion, onQuestion, type Question } from './scope.js';

const scopes = [
  ['esta', 'Só esta'],
  ['proximas', 'Esta e as próximas'],
  ['todas', 'Todas'],
] as const;

/** The answer with less risk is the main button. */
const impeded = [
  ['manter', 'filled', 'Deixar essas onde estão', 'Pular essas datas'],
  ['mudar', 'subtle', 'Remarcar mesmo assim', 'Agendar mesmo assim'],
] as const;

/** Asks to which sessions of a series a change applies, and what to do with sessions that do not fit. */
export function ScopeSheet() {
  const question = useSyncExternalStore(onQuestion, currentQuestion);
  return (
    <Sheet
      opened={question !== null}
      onClose={() => question?.answer(null)}
      title={
        question?.kind === 'impeded'
          ? inParts(question.message).title
          : `${question?.verb ?? 'Alterar'} quais sessões?`
      }
      middle
      withoutAddress
    >
      {question && <Answers question={question} />}
    </Sheet>
  );
}

/** How many do not fit, and which with what is in the way. */
function inParts(message: string) {
  const at = message.indexOf(': ');
  return at < 0
    ? { title: message, reasons: '' }
    : { title: message.slice(0, at), reasons: message.slice(at + 2) };
}

function Answers({ question }: { question: Question }) {
  return (
    <div className={classes.answers}>
      <p>
        {question.kind === 'impeded'
          ? inParts(question.message).reasons
          : 'Esta sessão é de um horário fixo. As que já passaram, foram feitas ou canceladas ficam como estão.'}
      </p>
      {question.kind === 'scope'
        ? scopes
            .filter(([scope]) => !question.isOfSeries || scope !== 'esta')
            .map(([scope, label]) => (
              <Button key={scope} variant="default" onClick={() => question.answer(scope)}>
                {label}
              </Button>
            ))
        : impeded.map(([what, variant, moved, booked]) => (
            <Button key={what} variant={variant} onClick={() => question.answer(what)}>
              {question.isNew ? booked : moved}
            </Button>
          ))}
    </div>
  );
}
