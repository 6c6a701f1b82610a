import type { ReactNode } from 'react';
import { useBodyForm } from '../../lib/form.js';
import { SaveButton, submitting } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import classes from './account.module.css';
import { FactorCodeField, factorCode, showFactor } from './factor-code.js';

interface ProveFactorProps {
  factorId: string;
  /** Description of the action. */
  children: ReactNode;
  /** Label of the button. */
  action: string;
  failure: string;
  onProved: () => Promise<void>;
}

/** Asks for a code of the second factor before a sensitive action. */
export function ProveFactor({ factorId, children, action, failure, onProved }: ProveFactorProps) {
  const form = useBodyForm({ initialValues: { code: '' }, schema: factorCode, toBody: (values) => values });
  return (
    <form
      noValidate
      onSubmit={submitting(form, {
        failure,
        save: async ({ code }) => {
          await showFactor(factorId, code);
          await onProved();
        },
      })}
    >
      <p className={classes.text}>{children}</p>
      <FactorCodeField
        description="Do aplicativo autenticador, ou um dos seus códigos de recuperação"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data-autofocus
        {...form.getInputProps('code')}
      />
      <SheetActions>
        <SaveButton busy={form.submitting}>{action}</SaveButton>
      </SheetActions>
    </form>
  );
}
