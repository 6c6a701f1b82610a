import { VisuallyHidden } from '@mantine/core';
import type { Dashboard } from '../../../../backend/modules/agenda/agenda.api.js';
import { Card } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import classes from './first-steps.module.css';

type Steps = Dashboard['primeiros_passos'];

const steps: readonly { step: keyof Steps; title: string; facts: string; to: string }[] = [
  {
    step: 'plano',
    title: 'Crie um plano',
    facts: 'O pacote que você vende: valor e créditos',
    to: '/planos/novo',
  },
  { step: 'aluno', title: 'Cadastre um aluno', facts: 'Nome, WhatsApp e o plano dele', to: '/alunos/novo' },
  {
    step: 'agendamento',
    title: 'Agende uma sessão',
    facts: 'Quem, quando e onde',
    to: '/agenda?novo=agendamento',
  },
  {
    step: 'recebimento',
    title: 'Registre o que recebeu',
    facts: 'O primeiro pagamento entra no financeiro',
    to: '/financeiro?novo=lancamento',
  },
];

export const areDone = (taken: Steps): boolean => steps.every(({ step }) => taken[step]);

/** The first steps of a new account, in order; a step stays ticked once it was done. */
export function FirstSteps({ taken }: { taken: Steps }) {
  const next = steps.find(({ step }) => !taken[step]);
  const count = steps.filter(({ step }) => taken[step]).length;
  return (
    <Section
      title="Primeiros passos"
      action={<span className={classes.count}>{`${count} de ${steps.length} feitos`}</span>}
    >
      <Card flush>
        <ol className={classes.steps}>
          {steps.map(({ step, title, facts, to }, index) => (
            <li key={step} data-next={step === next?.step || undefined}>
              {taken[step] ? (
                <Row
                  muted
                  lead={<Mark done />}
                  title={
                    <>
                      {title}
                      <VisuallyHidden component="span">, feito</VisuallyHidden>
                    </>
                  }
                />
              ) : (
                <Row to={to} lead={<Mark number={index + 1} />} title={title} facts={facts} />
              )}
            </li>
          ))}
        </ol>
      </Card>
    </Section>
  );
}

function Mark({ number, done = false }: { number?: number; done?: boolean }) {
  return (
    <span aria-hidden className={classes.mark} data-done={done || undefined}>
      {done ? <Icon name="check" size={18} /> : number}
    </span>
  );
}
