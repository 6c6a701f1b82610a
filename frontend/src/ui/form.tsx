import { Button } from '@mantine/core';
import type { ComponentPropsWithoutRef, FormEvent, ReactNode } from 'react';
import type { BodyForm } from '../lib/form.js';
import { messageOf } from '../lib/problem.js';
import classes from './form.module.css';
import { toast } from './toast.js';

interface SubmitOptions<Body> {
  save: (body: Body) => Promise<unknown>;
  /** Title of the toast for a refusal that belongs to no field; without it the refusal itself is the title. */
  failure?: string;
}

/**
 * The submit handler of a form: sends a valid body once at a time. What the server refuses is shown on its field or in a toast, and what was
 * typed stays.
 */
export function submitting<Values, Body>(
  form: BodyForm<Values, Body>,
  { save, failure }: SubmitOptions<Body>,
): (event?: FormEvent<HTMLFormElement>) => void {
  const send = async (body: Body) => {
    form.setSubmitting(true);
    try {
      await save(body);
      form.finish();
    } catch (error) {
      if (!form.showProblem(error)) {
        if (failure) toast.error(failure, { description: messageOf(error) });
        else toast.error(messageOf(error));
      }
    }
    form.setSubmitting(false);
  };
  return form.submit((body) => {
    if (!form.submitting) void send(body);
  });
}

/** Fields one under the other. The browser's own validation is off: the schema speaks. */
export function FormStack(props: ComponentPropsWithoutRef<'form'>) {
  return <form className={classes.stack} noValidate {...props} />;
}

/** Two short fields beside each other. */
export function FieldPair({ children }: { children: ReactNode }) {
  return <div className={classes.pair}>{children}</div>;
}

/** Buttons of equal width in a row. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}

/** The button that sends a form: 'Salvando...' while it does. */
export function SaveButton({ busy, children }: { busy: boolean; children: string }) {
  return (
    <Button type="submit" disabled={busy}>
      {busy ? 'Salvando...' : children}
    </Button>
  );
}
