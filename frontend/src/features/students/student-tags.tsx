import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { studentTags, type StudentTags as Tags } from '../../../../backend/modules/students/students.api.js';
import { searchable } from '../../../../backend/platform/searchable.api.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { Icon } from '../../ui/icon.js';
import { Sheet, SheetForm } from '../../ui/sheet.js';
import { Tag } from '../../ui/tag.js';
import { takenBack, toast } from '../../ui/toast.js';
import classes from './student-page.module.css';
import { useTags } from './students.queries.js';

interface StudentTagsProps {
  studentId: string;
  tags: readonly string[];
}

/** A student's tags, with a button to edit them. */
export function StudentTags({ studentId, tags }: StudentTagsProps) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <div className={classes.tagsLine}>
      {tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
      <Button
        size="compact-sm"
        h={44}
        variant="subtle"
        onClick={() => setOpened(true)}
        leftSection={<Icon name={tags.length > 0 ? 'edit' : 'plus'} size={16} />}
      >
        {tags.length > 0 ? 'Editar etiquetas' : 'Adicionar etiqueta'}
      </Button>
      <Sheet opened={opened} onClose={close} title="Etiquetas" beginsAtField="typed" withoutAddress>
        <TagsForm studentId={studentId} tags={tags} onDone={close} />
      </Sheet>
    </div>
  );
}

const isSame = (one: string, other: string) => searchable(one) === searchable(other);

function TagsForm({ studentId, tags, onDone }: StudentTagsProps & { onDone: () => void }) {
  const { mutateAsync } = useSend('PUT /students/:id/tags', studentId);
  const known = useTags().data?.items.map(({ etiqueta }) => etiqueta) ?? [];
  const form = useBodyForm({
    initialValues: { chosen: [...tags], etiquetas: '' },
    schema: studentTags,
    // Includes a typed tag that was not added yet.
    toBody: ({ chosen, etiquetas }) => ({ etiquetas: withTags(chosen, etiquetas) }),
  });
  const { chosen, etiquetas: typed } = form.values;
  /** Adds a tag, in the spelling of an existing one if there is one. */
  const withTag = (before: readonly string[], word: string): string[] => {
    const tag = known.find((each) => isSame(each, word.trim())) ?? word.trim();
    return tag === '' || before.some((each) => isSame(each, tag)) ? [...before] : [...before, tag];
  };
  /** Adds several tags, separated by commas or semicolons. */
  const withTags = (before: readonly string[], words: string): string[] =>
    words.split(/[,;]/).reduce<string[]>(withTag, [...before]);
  const add = (words: string) => form.setValues({ chosen: withTags(chosen, words), etiquetas: '' });
  const remove = (tag: string) =>
    form.setFieldValue(
      'chosen',
      chosen.filter((each) => each !== tag),
    );
  const others = known.filter((tag) => !chosen.some((each) => isSame(each, tag)));

  const save = async (body: Tags) => {
    await mutateAsync(body);
    onDone();
    toast.success(
      'Etiquetas atualizadas',
      takenBack(() => mutateAsync({ etiquetas: [...tags], se_ainda: body })),
    );
  };

  return (
    <SheetForm form={form} save={save} failure="Erro ao salvar as etiquetas" submit="Salvar">
      {chosen.length > 0 && (
        <div className={classes.tagChoices} role="group" aria-label="Etiquetas do aluno">
          {chosen.map((tag) => (
            <Button
              key={tag}
              size="sm"
              variant="light"
              aria-label={`Remover ${tag}`}
              onClick={() => remove(tag)}
              rightSection={<Icon name="close" size={16} />}
            >
              {tag}
            </Button>
          ))}
        </div>
      )}
      <div className={classes.tagEntry}>
        <TextInput
          label="Nova etiqueta"
          placeholder="Ex.: manhã, corrida, gestante"
          maxLength={30}
          {...form.getInputProps('etiquetas')}
        />
        <Button variant="default" disabled={typed.trim() === ''} onClick={() => add(typed)}>
          Adicionar
        </Button>
      </div>
      {others.length > 0 && (
        <div className={classes.tagChoices} role="group" aria-label="Etiquetas que você já usa">
          {others.map((tag) => (
            <Button
              key={tag}
              size="sm"
              variant="default"
              aria-label={`Adicionar ${tag}`}
              onClick={() => add(tag)}
              leftSection={<Icon name="plus" size={16} />}
            >
              {tag}
            </Button>
          ))}
        </div>
      )}
    </SheetForm>
  );
}
