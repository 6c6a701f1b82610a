import { Button, TextInput } from '@mantine/core';
import { newTag } from '../../../../backend/modules/students/students.api.js';
import { useBodyForm } from '../../lib/form.js';
import { searchable } from '../../../../backend/platform/searchable.api.js';
import { FormStack, submitting } from '../../ui/form.js';
import { SheetActions } from '../../ui/sheet.js';
import classes from './student-page.module.css';
import { useTags } from './students.queries.js';

/** Chooses a tag for many students: a new or an existing one. */
export function TagStudents({ onTag }: { onTag: (tag: string) => Promise<unknown> }) {
  const known = useTags().data?.items.map(({ etiqueta }) => etiqueta) ?? [];
  const form = useBodyForm({
    initialValues: { etiqueta: '' },
    schema: newTag,
    toBody: (values) => values,
  });
  const save = ({ etiqueta }: { etiqueta: string }) =>
    onTag(known.find((each) => searchable(each) === searchable(etiqueta)) ?? etiqueta);
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao atualizar alunos' })}>
      <TextInput
        label="Nova etiqueta"
        placeholder="Ex.: manhã, corrida, gestante"
        maxLength={30}
        {...form.getInputProps('etiqueta')}
      />
      {known.length > 0 && (
        <div className={classes.tagChoices} role="group" aria-label="Etiquetas que você já usa">
          {known.map((tag) => (
            <Button key={tag} size="sm" variant="default" onClick={() => void onTag(tag)}>
              {tag}
            </Button>
          ))}
        </div>
      )}
      <SheetActions>
        <Button type="submit" loading={form.submitting}>
          Etiquetar
        </Button>
      </SheetActions>
    </FormStack>
  );
}
