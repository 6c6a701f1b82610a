import { Button } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod/mini';
import { useBodyForm } from '../../lib/form.js';
import { Card } from '../../ui/card.js';
import { DateField } from '../../ui/date-field.js';
import { CepField, CpfField, DateTextField, MoneyField } from '../../ui/fields.js';
import { PhoneField } from '../../ui/phone-field.js';
import { ButtonRow, FieldPair, FormStack, RecordButtons, SaveButton } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { LongTextField } from '../../ui/long-text-field.js';
import { Section } from '../../ui/page.js';
import { Palette } from '../../ui/palette.js';
import { Sheet, SheetForm, SheetTitle } from '../../ui/sheet.js';
import { TimeField } from '../../ui/time-field.js';
import { toast } from '../../ui/toast.js';

export function FieldsGallery() {
  const [values, setValues] = useState<Record<string, string>>({ date: '2026-11-26', time: '07:00' });
  const [isRestored, setRestored] = useState(true);
  const [opened, setOpened] = useState(false);
  const [typed, setTyped] = useState('');
  const form = useBodyForm({ initialValues: {}, schema: z.object({}), toBody: (values) => values });
  const field = (name: string) => ({
    value: values[name] ?? '',
    onChange: (value: string) => setValues({ ...values, [name]: value }),
  });

  return (
    <>
      <Section title="Campos">
        <Card>
          <FormStack
            form={{ isRestored, discard: () => setRestored(false) }}
            onSubmit={(event) => event.preventDefault()}
          >
            <FieldPair>
              <PhoneField label="Celular" {...field('phone')} />
              <CpfField label="CPF" error="CPF inválido" {...field('cpf')} />
            </FieldPair>
            <FieldPair>
              <DateField label="Data" {...field('date')} />
              <DateTextField label="Nascimento" {...field('birth')} />
            </FieldPair>
            <FieldPair>
              <TimeField label="Horário" {...field('time')} />
              <MoneyField label="Valor" description="Quanto foi pago" {...field('money')} />
            </FieldPair>
            <CepField label="CEP" {...field('cep')} />
            <LongTextField label="Observações" {...field('notes')} />
            <RecordButtons
              beside={<Button variant="default">Cancelar</Button>}
              submitLabel="Salvar"
              busy={false}
            />
            <SaveButton busy>Salvar</SaveButton>
          </FormStack>
        </Card>
      </Section>
      <Section title="Botões, folhas e avisos">
        <Card fields>
          <ButtonRow>
            <Button>Principal</Button>
            <Button variant="light">Leve</Button>
            <Button variant="default">Outro</Button>
            <Button color="red">Sem volta</Button>
            <Button loading>Ocupado</Button>
          </ButtonRow>
          <ButtonRow>
            <Button variant="default" onClick={() => setOpened(true)}>
              Abrir folha
            </Button>
            <Button
              variant="default"
              onClick={() =>
                toast.success('Plano renovado', {
                  description: 'Com volta.',
                  undo: () => Promise.resolve(true),
                  undone: 'Renovação desfeita',
                })
              }
            >
              Aviso com volta
            </Button>
            <Button
              variant="default"
              onClick={() => toast.error('Erro ao salvar', { description: 'Por isto.' })}
            >
              Aviso de erro
            </Button>
          </ButtonRow>
        </Card>
      </Section>
      <Section title="Busca">
        <Card>
          <Palette
            label="Buscar alunos"
            value={typed}
            onChange={setTyped}
            onClose={() => undefined}
            onChoose={() => undefined}
            empty={null}
            groups={[
              {
                label: 'Alunos',
                items: [
                  { id: 'a', title: 'Ana Souza', facts: '(11) 91234-5678', lead: <Icon name="people" /> },
                  { id: 'b', title: 'Bruno Lima', lead: <Icon name="people" /> },
                ],
              },
            ]}
          />
        </Card>
      </Section>
      <Sheet opened={opened} onClose={() => setOpened(false)} title="Folha">
        <SheetTitle of="Folha com o título do que mostra" />
        <p>De baixo no celular, da direita onde há lugar.</p>
        <SheetForm form={form} save={() => Promise.resolve(setOpened(false))} submit="Entendi">
          <DateField label="Dia" {...field('date')} />
        </SheetForm>
      </Sheet>
    </>
  );
}
