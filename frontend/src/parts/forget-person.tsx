import { Button, TextInput } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { PayerForgetPreview } from '../../../backend/modules/privacy/privacy.api.js';
import { formatDate } from '../lib/dates.js';
import { useBodyForm } from '../lib/form.js';
import { Consequences } from '../ui/consequences.js';
import { FormStack, submitting } from '../ui/form.js';
import { Icon } from '../ui/icon.js';
import { Sheet, SheetActions } from '../ui/sheet.js';
import classes from './forget-person.module.css';

const CONFIRMATION = 'APAGAR';
const confirmation = z.object({ palavra: z.literal(CONFIRMATION) });

type Consequence = readonly [what: string, words: string];

/** What the law retains, with its last day; `usual` where nothing is retained, or while that is loading. */
export function keptByLaw(kept: PayerForgetPreview['permanece'] = [], usual: string): Consequence[] {
  if (kept.length === 0)
    return [['Será mantido', `O que a lei manda guardar (${usual}), até o fim do prazo.`]];
  return kept.map(({ o_que, por_que, ate }) => [
    'Será mantido',
    `${o_que}, até ${formatDate(ate)}: ${por_que}`,
  ]);
}

interface ForgetPersonProps<Preview> {
  label: string;
  title: string;
  failure: string;
  /** Says in a toast what it has done. */
  forget: () => Promise<void>;
  /** What stays, and what is shown before, while that is loading too. */
  preview: UseQueryOptions<Preview, Error, Preview, string[]>;
  consequences: (preview: Preview | undefined) => readonly Consequence[];
}

/** An inconspicuous button to forget a person for good, which asks for a word before. */
export function ForgetPerson<Preview>({ label, title, ...props }: ForgetPersonProps<Preview>) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button
        className={classes.entry}
        size="sm"
        variant="subtle"
        onClick={() => setOpened(true)}
        leftSection={<Icon name="shield" size={18} />}
      >
        {label}
      </Button>
      <Sheet opened={opened} onClose={close} title={title} withoutAddress>
        <Confirmation {...props} onClose={close} />
      </Sheet>
    </>
  );
}

type ConfirmationProps<Preview> = Omit<ForgetPersonProps<Preview>, 'label' | 'title'> & {
  onClose: () => void;
};

function Confirmation<Preview>(props: ConfirmationProps<Preview>) {
  const { failure, forget, preview, consequences, onClose } = props;
  const items = consequences(useQuery(preview).data);
  const form = useBodyForm({
    initialValues: { palavra: '' },
    schema: confirmation,
    toBody: ({ palavra }) => ({ palavra: palavra.trim().toUpperCase() }),
  });
  const save = async () => {
    await forget();
    onClose();
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure })}>
      <Consequences warning="Não dá para desfazer: ninguém consegue recuperar os dados." items={items} />
      <TextInput
        label={`Para confirmar, digite ${CONFIRMATION}`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.getInputProps('palavra')}
      />
      <SheetActions onBack={onClose}>
        <Button type="submit" color="red" loading={form.submitting} disabled={!form.isValid()}>
          Apagar para sempre
        </Button>
      </SheetActions>
    </FormStack>
  );
}
