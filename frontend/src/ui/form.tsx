import { Button } from '@mantine/core';
import type { ComponentPropsWithoutRef, FormEvent, ReactNode } from 'react';
import type { BodyForm } from '../lib/form.js';
import { messageOf } from '../lib/problem.js';
import classes from './form.module.css';
import { Icon } from './icon.js';
import { toast } from './toast.js';

export interface SubmitOptions<Body> {
  save: (body: Body) => Promise<unknown>;
  /** Title of the toast for a refusal that belongs to no field; without it the refusal itself is the title. */
  failure?: string;
  /** Description of the toast; by default the message of the refusal. */
  description?: string;
  /** The whole toast for a refusal whose text needs no title; undefined for others. */
  says?: (error: unknown) => string | undefined;
  /** Whether the form itself shows this refusal: then there is no toast. */
  takes?: (error: unknown) => boolean;
  /** Description of the toast for empty fields, if one is enough; by default it names them where there are several. */
  missing?: string;
}

/** The toast of the specs for required fields that are empty. */
export function tellMissing(labels: readonly string[], description?: string): void {
  if (description ? labels.length === 0 : labels.length < 2) return;
  toast.error('Campos obrigatórios', {
    description: description ?? `Por favor, preencha: ${labels.join(', ')}`,
  });
}

/**
 * The submit handler of a form: sends a valid body, once at a time. A refusal of the server is shown at its field or in
 * a toast, and the typed values stay.
 */
export function submitting<Values, Body>(
  form: BodyForm<Values, Body>,
  { save, failure, description, says, takes, missing }: SubmitOptions<Body>,
): (event?: FormEvent<HTMLFormElement>) => void {
  const send = async (body: Body) => {
    try {
      await save(body);
      form.finish();
    } catch (error) {
      if (!takes?.(error) && !form.showProblem(error)) {
        const whole = says?.(error);
        if (whole) toast.error(whole);
        else if (failure) toast.error(failure, { description: description ?? messageOf(error) });
        else toast.error(messageOf(error));
      }
    }
  };
  return form.submit(send, (labels) => tellMissing(labels, missing));
}

interface FormStackProps extends ComponentPropsWithoutRef<'form'> {
  /** Offers to discard a draft that the form was filled with. */
  form: { isRestored: boolean; discard: () => void };
}

/** Fields in a column. The browser's validation is off: the schema validates. */
export function FormStack({ form, children, ...props }: FormStackProps) {
  return (
    <form className={classes.stack} noValidate {...props}>
      <div role="status">
        {form.isRestored && (
          <p className={classes.restored}>
            <Icon name="clock" size={16} />
            <span>Recuperamos o que você tinha digitado.</span>
            <Button size="compact-sm" h={44} variant="subtle" onClick={form.discard}>
              Descartar
            </Button>
          </p>
        )}
      </div>
      {children}
    </form>
  );
}

/** Two short fields side by side. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className={classes.pair}>{children}</div>;
}

/** Buttons of equal width in a row. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}

/** Props of a form that creates or edits an entity. */
export interface RecordForm<Body> {
  submitLabel: string;
  /** Title of the toast when the server refuses. */
  failure: string;
  save: (body: Body) => Promise<unknown>;
  /** Shown before the submit button. */
  beside?: ReactNode;
  /** Container of the buttons; a sheet has its own. */
  Buttons?: typeof ButtonRow;
}

/** The end of such a form. */
export function RecordButtons({
  submitLabel,
  beside,
  Buttons = ButtonRow,
  busy,
}: Pick<RecordForm<never>, 'submitLabel' | 'beside' | 'Buttons'> & { busy: boolean }) {
  return (
    <Buttons>
      {beside}
      <SaveButton busy={busy}>{submitLabel}</SaveButton>
    </Buttons>
  );
}

/** The button that sends a form: 'Salvando...' while it does. */
export function SaveButton({ busy, children }: { busy: boolean; children: string }) {
  return (
    <Button type="submit" disabled={busy}>
      {busy ? 'Salvando...' : children}
    </Button>
  );
}
