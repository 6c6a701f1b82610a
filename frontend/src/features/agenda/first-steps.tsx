import { VisuallyHidden } from '@mantine/core';
import { Card } from '../../ui/card.js';
import { LinkChip } from '../../ui/chip.js';
import { Icon } from '../../ui/icon.js';
import { Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import classes from './first-steps.module.css';
import { type Steps, steps } from './steps.js';

/** What helps beside the first steps, in any order; `lasting`: also after them, because sessions and charges lack something without it. */
const extras: readonly { step: keyof Steps; label: string; to: string; lasting: boolean }[] = [
  { step: 'local', label: 'Local', to: '/locais/novo', lasting: true },
  { step: 'pix', label: 'Chave Pix', to: '/ajustes/pix', lasting: true },
  { step: 'link', label: 'Link público', to: '/link-publico', lasting: false },
];

/** The first steps of a new account, in order; a step stays ticked once it was done. */
export function FirstSteps({ taken }: { taken: Steps }) {
  const next = steps.find(({ step }) => !taken[step]);
  const count = steps.filter(({ step }) => taken[step]).length;
  const left = extras.filter(({ step, lasting }) => !taken[step] && (lasting || next));
  const whenever = left.length > 0 && (
    <div role="group" aria-label="Quando puder" className={classes.extras}>
      <span aria-hidden>Quando puder:</span>
      {left.map(({ step, label, to }) => (
        <LinkChip key={step} to={to}>
          {label}
        </LinkChip>
      ))}
    </div>
  );
  if (!next) return whenever;
  return (
    <Section
      title="Primeiros passos"
      action={<span className={classes.count}>{`${count} de ${steps.length} feitos`}</span>}
    >
      <Card flush>
        <ol className={classes.steps}>
          {steps.map(({ step, title, facts, to }, index) => (
            <li key={step} data-next={step === next.step || undefined}>
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
      {whenever}
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
