import { Button, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { Link } from 'react-router-dom';
import {
  linkSettings,
  type LinkSettings,
  type PublicLink,
} from '../../../../backend/modules/public-link/public-link.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { choiceOf, minutesInWords, noticeInWords } from '../../lib/choices.js';
import { useSend } from '../../lib/command.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount } from '../../lib/money.js';
import { maskPhone } from '../../lib/phone-mask.js';
import { useServiceChoices } from '../../parts/service-choices.js';
import { LengthField } from '../../parts/length-field.js';
import { LocationsField } from '../../parts/locations-field.js';
import { Card } from '../../ui/card.js';
import { MoneyField } from '../../ui/fields.js';
import { PhoneField } from '../../ui/phone-field.js';
import { FieldPair, FormStack, SaveButton, submitting } from '../../ui/form.js';
import { Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { saveUndoably } from '../../ui/save-undoably.js';

const days = (value: number) => plural(value, 'dia', 'dias');
const shareInWords = (value: number) => (value === 0 ? 'Nenhuma' : `${value}% do preço`);
const times = (value: number) => plural(value, 'horário', 'horários');

interface LinkFormProps {
  before: LinkSettings;
  /** Value of the field: the saved number, or the trainer's own until settings are saved. */
  whatsapp: string | null;
  /** Whether settings are saved. */
  salvo: boolean;
  /** The number of the trainer's account, proposed while the field is empty. */
  own: string | null;
  /** Whether there is a Pix key, and a provider that tells of payments. */
  pix: Pick<PublicLink, 'tem_chave' | 'automatico'>;
}

/** Settings for what visitors can see and book. */
export function LinkForm({ before, whatsapp: proposed, salvo, own, pix }: LinkFormProps) {
  const { mutateAsync } = useSend('PUT /public-link');
  // Services have prices of their own.
  const offered = useServiceChoices().data?.items.some(({ na_pagina }) => na_pagina);
  const form = useBodyForm({
    initialValues: {
      ativo: before.ativo,
      indexavel: before.indexavel,
      texto: before.texto ?? '',
      cref: before.cref ?? '',
      primeira_aula: before.primeira_aula === null ? '' : formatAmount(before.primeira_aula),
      antecipado: before.antecipado,
      sinal: before.sinal === null ? '' : formatAmount(before.sinal),
      espera_min: String(before.espera_min),
      falta_percent: String(before.falta_percent),
      ver_todos: before.ver_todos,
      dias: String(before.dias),
      duracao_min: String(before.duracao_min),
      intervalo_min: String(before.intervalo_min),
      por_dia: String(before.por_dia),
      antecedencia_min: String(before.antecedencia_min),
      locais: before.locais,
      whatsapp: maskPhone(proposed ?? ''),
    },
    schema: linkSettings,
    toBody: ({
      locais,
      texto,
      cref,
      primeira_aula,
      whatsapp,
      ativo,
      indexavel,
      ver_todos,
      antecipado,
      sinal,
      ...numbers
    }) => ({
      ativo,
      indexavel,
      ver_todos,
      antecipado,
      sinal: antecipado === 'sinal' ? (amountOf(sinal) ?? null) : null,
      espera_min: Number(numbers.espera_min),
      falta_percent: Number(numbers.falta_percent),
      dias: Number(numbers.dias),
      duracao_min: Number(numbers.duracao_min),
      intervalo_min: Number(numbers.intervalo_min),
      por_dia: Number(numbers.por_dia),
      antecedencia_min: Number(numbers.antecedencia_min),
      locais,
      texto: texto.trim() || null,
      cref: cref.trim() || null,
      primeira_aula: amountOf(primeira_aula) ?? null,
      whatsapp: whatsapp.trim() || null,
    }),
    draft: 'link-publico',
  });
  const { antecipado } = form.values;
  const isAsked = antecipado !== 'nada';

  const save = (body: LinkSettings) => saveUndoably(mutateAsync, body, before);

  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar' })}>
      <Section title="O que o visitante vê">
        <Card fields>
          <Switch
            label="Link ativo"
            description="Desativado, o link diz que você pausou os agendamentos e mostra seu WhatsApp."
            {...form.getInputProps('ativo', { type: 'checkbox' })}
          />
          <Textarea
            label="Apresentação (opcional)"
            autosize
            minRows={2}
            maxLength={300}
            {...form.getInputProps('texto')}
          />
          <FieldPair>
            <TextInput
              label="CREF (opcional)"
              placeholder="000000-G/SP"
              maxLength={25}
              autoComplete="off"
              {...form.getInputProps('cref')}
            />
            <MoneyField
              label="Primeira aula (opcional)"
              description={offered ? 'Cada serviço tem o seu valor.' : 'Com 0, a página diz que é grátis.'}
              {...form.getInputProps('primeira_aula')}
            />
          </FieldPair>
          <PhoneField
            label="WhatsApp (opcional)"
            description={
              salvo
                ? 'Quem agendou pode falar com você por ele.'
                : 'Quem agendou pode falar com você por ele. Até você salvar, vale o telefone da sua conta.'
            }
            {...form.getInputProps('whatsapp')}
          />
          {own && !form.values.whatsapp && (
            <Button
              size="sm"
              variant="default"
              onClick={() => form.setFieldValue('whatsapp', maskPhone(own))}
            >
              Usar {maskPhone(own)}
            </Button>
          )}
          <Switch
            label="Aparecer em buscadores"
            description="O Google e outros podem listar a sua página."
            {...form.getInputProps('indexavel', { type: 'checkbox' })}
          />
        </Card>
      </Section>
      <Section title="Pagamento e faltas">
        <Card fields>
          <NativeSelect
            label="Pedir por Pix ao reservar"
            data={[
              { value: 'nada', label: 'Nada' },
              { value: 'sinal', label: 'Um sinal' },
              { value: 'tudo', label: 'O preço da aula' },
            ]}
            {...form.getInputProps('antecipado')}
          />
          {antecipado === 'sinal' && (
            <MoneyField
              label="Sinal (R$)"
              description="É parte do preço: o resto fica para receber na aula."
              {...form.getInputProps('sinal')}
            />
          )}
          {isAsked && !pix.tem_chave && (
            <Quiet size="sm">
              Sem chave Pix, o link não pede nada. <Link to="/ajustes/pix">Cadastrar a chave Pix</Link>
            </Quiet>
          )}
          {isAsked && pix.tem_chave && !pix.automatico && (
            <Quiet size="sm">
              Sem provedor conectado, você confere o Pix e registra o pagamento na cobrança: o horário fica
              guardado por até 48 horas. <Link to="/ajustes/pix">Conectar um provedor</Link>
            </Quiet>
          )}
          {isAsked && pix.tem_chave && pix.automatico && (
            <NativeSelect
              label="Guardar o horário por"
              description="Sem o Pix até lá, a reserva é cancelada e o horário fica livre."
              data={choiceOf([15, 20, 30, 45, 60], before.espera_min, minutesInWords)}
              {...form.getInputProps('espera_min')}
            />
          )}
          <NativeSelect
            label="Taxa de falta"
            description="Para quem não aparece na aula confirmada, descontada do que já pagou."
            data={choiceOf([0, 25, 50, 75, 100], before.falta_percent, shareInWords)}
            {...form.getInputProps('falta_percent')}
          />
          {isAsked && (
            <Quiet size="sm">
              Quem cancela no prazo da política do local recebe tudo de volta. Depois do prazo, vale a taxa da
              política. <Link to="/ajustes/politicas">Ver as políticas</Link>
            </Quiet>
          )}
        </Card>
      </Section>
      <Section title="Horários">
        <Card fields>
          <FieldPair>
            <NativeSelect
              label="Dias à frente"
              data={choiceOf([3, 5, 7, 14, 21, 28, 45, 60], before.dias, days)}
              {...form.getInputProps('dias')}
            />
            <NativeSelect
              label="Horários por dia"
              description="Divididos entre manhã, tarde e noite."
              data={choiceOf([1, 2, 3, 4, 6, 8, 12, 24], before.por_dia, times)}
              {...form.getInputProps('por_dia')}
            />
          </FieldPair>
          <Switch
            label="Botão “Ver todos”"
            description="Quem agenda pode abrir todos os seus horários livres."
            {...form.getInputProps('ver_todos', { type: 'checkbox' })}
          />
          <FieldPair>
            <LengthField saved={before.duracao_min} by="na_pagina" {...form.getInputProps('duracao_min')} />
            <NativeSelect
              label="Intervalo entre sessões"
              data={choiceOf([0, 5, 10, 15, 20, 30, 45, 60], before.intervalo_min, minutesInWords)}
              {...form.getInputProps('intervalo_min')}
            />
          </FieldPair>
          <NativeSelect
            label="Antecedência mínima"
            description="Vale para agendar, remarcar e cancelar pelo link."
            data={choiceOf([0, 30, 60, 120, 240, 720, 1440, 2880], before.antecedencia_min, noticeInWords)}
            {...form.getInputProps('antecedencia_min')}
          />
        </Card>
      </Section>
      <Section title="Locais">
        <Card fields>
          <LocationsField
            none="Cadastre um local para que possam agendar com você."
            {...form.getInputProps('locais')}
          />
        </Card>
      </Section>
      <SaveButton busy={form.submitting}>Salvar</SaveButton>
    </FormStack>
  );
}
