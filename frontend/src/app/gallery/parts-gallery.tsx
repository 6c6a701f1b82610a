import { ActionIcon, Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { AddLink } from '../../ui/add-link.js';
import { Bar, BarAction } from '../../ui/bar.js';
import { Card, CardList, ItemCard } from '../../ui/card.js';
import { ChipLine, LinkChip, ListChip } from '../../ui/chip.js';
import { ChoiceChip, ChoiceChips, ColourDot } from '../../ui/choice-chip.js';
import { Consequences } from '../../ui/consequences.js';
import { CountBadge } from '../../ui/count-badge.js';
import { CreditFigure } from '../../ui/credit-figure.js';
import { Facts } from '../../ui/facts.js';
import { Icon } from '../../ui/icon.js';
import { IconAction, IconActions, IconGrid } from '../../ui/icon-actions.js';
import { Initials } from '../../ui/initials.js';
import { Logo } from '../../ui/logo.js';
import { MessageCard } from '../../ui/message-card.js';
import { Money } from '../../ui/money.js';
import { MoreMenu } from '../../ui/more-menu.js';
import NamedItems from '../../ui/named-items.js';
import { Section } from '../../ui/page.js';
import { Folded } from '../../ui/folded.js';
import { PageChoice } from '../../ui/page-choice.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { ConnectionButtons } from '../../ui/connection-buttons.js';
import { Quiet } from '../../ui/quiet.js';
import { RestoreButton } from '../../ui/restore-button.js';
import { Row } from '../../ui/row.js';
import QrCode from '../../ui/qr-code.js';
import { SharedLink } from '../../ui/shared-link.js';
import { StandingChoice } from '../../ui/standing-choice.js';
import { Change, Stat, StatGrid, StatStrip } from '../../ui/stat.js';
import { Tag, type Tone } from '../../ui/tag.js';
import { TapButton } from '../../ui/tap-button.js';
import { Weekdays } from '../../ui/weekdays.js';

const tones: readonly Tone[] = ['accent', 'good', 'warn', 'bad', 'neutral'];
const people = ['Ana Souza', 'Bruno de Almeida Lima', 'Célia'].map((name) => ({ id: name, name }));
const nothing = { isPending: false, mutateAsync: () => Promise.resolve() };

export function PartsGallery() {
  const [mode, setMode] = useState('dia');
  return (
    <>
      <Section title="Marca, etiquetas e valores" action={<AddLink to="/dev/ui" thing="item" />}>
        <Card fields>
          <Logo />
          <p>
            {tones.map((tone) => (
              <Tag key={tone} tone={tone} icon="check">
                {tone}
              </Tag>
            ))}{' '}
            <Tag outlined>previsto</Tag> <CountBadge of={3} /> <ColourDot colour="verde" />
            <PendingMark />
          </p>
          <p>
            <Money cents={123_456} signed /> · <Money cents={-5000} />
          </p>
          <Quiet>Uma explicação</Quiet>
          <Quiet size="xs">Uma explicação menor</Quiet>
          <Folded title="12 datas livres">
            <p>ter., 7:00</p>
          </Folded>
          <CreditFigure credits={8} pending={<PendingMark />} />
          <Facts
            of={[
              ['Local', 'Parque'],
              ['Valor', <Money key="valor" cents={8000} />],
              ['Nada', null],
            ]}
          />
        </Card>
      </Section>
      <Section title="Escolhas e ações">
        <StandingChoice onChoose={() => undefined} />
        <PageChoice
          aria-label="Visualização"
          value={mode}
          onChange={setMode}
          data={[
            { value: 'dia', label: 'Dia' },
            { value: 'semana', label: 'Semana' },
            { value: 'mes', label: 'Mês' },
          ]}
        />
        <RestoreButton variant="light" onClick={() => undefined} />
        <ChoiceChips label="Dias">
          {['Seg', 'Ter', 'Qua'].map((day, index) => (
            <ChoiceChip key={day} aria-pressed={index === 0}>
              {day}
            </ChoiceChip>
          ))}
        </ChoiceChips>
        <Weekdays days={[1, 3]} onChange={() => undefined} />
        <IconActions>
          <IconAction icon="chat" onClick={() => undefined}>
            WhatsApp
          </IconAction>
          <IconAction icon="clock" onClick={() => undefined}>
            Remarcar
          </IconAction>
          <IconAction icon="wallet" to="/dev/ui">
            Extrato
          </IconAction>
        </IconActions>
        <IconGrid
          rest={
            <IconAction icon="drop" onClick={() => undefined}>
              Arquivos
            </IconAction>
          }
        >
          <IconAction icon="coins" to="/dev/ui">
            Cobranças
          </IconAction>
        </IconGrid>
        <MoreMenu>
          <Menu.Item>Editar</Menu.Item>
        </MoreMenu>
        <ConnectionButtons
          renew={{ by: nothing, label: 'Testar conexão', done: 'Testando', failure: 'Erro' }}
          removal={{ by: nothing, undoneBy: nothing, done: 'Desconectado', effect: 'Nada mudou.' }}
        />
      </Section>
      <Section title="Números">
        <StatGrid>
          <Stat label="Hoje" value={4} caption="sessões agendadas" onOpen={() => undefined} />
          <Stat
            label="Recebido"
            value={<Money cents={1_234_560} />}
            isAmount
            onOpen={() => undefined}
            caption={<Change value={12.5} against="out." />}
          />
          <Stat
            label="Despesas"
            value={<Money cents={98_765} />}
            isAmount
            onOpen={() => undefined}
            caption={<Change value={-3} against="out." />}
          />
          <Stat
            label="Lucro"
            value="—"
            onOpen={() => undefined}
            caption={<Change value={null} against="out." />}
          />
        </StatGrid>
        <StatStrip>
          <Stat label="Hoje" value={4} caption="sessões agendadas" />
          <Stat label="Esta Semana" value={21} caption="sessões programadas" />
          <Stat label="Total de Alunos" value={34} caption="alunos cadastrados" />
          <Stat label="Locais Ativos" value={3} caption="locais de atendimento" />
        </StatStrip>
        <ChipLine label="Pendências">
          <LinkChip to="/dev/ui" figure="R$ 1.476,00" urgent>
            vencidos
          </LinkChip>
          <ListChip figure="2" word="tarefas" title="Tarefas para hoje">
            <p>Ligar para o contador</p>
          </ListChip>
        </ChipLine>
      </Section>
      <Section title="Linhas e cartões">
        <Card flush>
          {people.map(({ id, name }) => (
            <Row
              key={id}
              to="/dev/ui"
              lead={<Initials id={id} name={name} />}
              title={name}
              facts="hoje, 7:00 · Parque"
              trail={<Tag tone="good">3 créditos</Tag>}
            />
          ))}
          <Row
            title="Com um toque"
            facts="E sem destino"
            actions={
              <TapButton icon="check" label="Marcar como feita" busy={false} onTap={() => undefined}>
                Feita
              </TapButton>
            }
          />
          <Row muted title="Passada" facts="Cancelada" />
        </Card>
        <MessageCard
          name="Ana Souza"
          fact="amanhã, 7:00"
          text="Oi, Ana! Passando para lembrar da nossa sessão de amanhã às 7:00."
          link={null}
          onOpen={() => undefined}
        />
        <CardList items={people}>
          {({ name }) => (
            <ItemCard
              title={name}
              subtitle="(11) 91234-5678"
              tags={<Tag tone="warn">1 crédito</Tag>}
              actions={
                <Button size="sm" variant="default">
                  Editar
                </Button>
              }
            >
              Plano: Mensal
            </ItemCard>
          )}
        </CardList>
      </Section>
      <Section title="Nomes de ícones">
        <Card>
          <NamedItems>
            {(named) =>
              (['calendar', 'wallet'] as const).map((icon) =>
                named(
                  icon,
                  <ActionIcon aria-label={icon}>
                    <Icon name={icon} />
                  </ActionIcon>,
                ),
              )
            }
          </NamedItems>
        </Card>
      </Section>
      <Section title="Links">
        <Card fields>
          <SharedLink
            url="https://rende.app/p/ana-souza"
            title="Link público"
            copy={() => Promise.resolve(true)}
          />
          <QrCode text="https://rende.app/p/ana-souza" label="link público" />
        </Card>
      </Section>
      <Section title="Faixas">
        <Bar icon="offline">Sem internet. Você vê os dados de hoje, 7:02.</Bar>
        <Bar icon="renew" tone="accent" actions={<BarAction onClick={() => undefined}>Recarregar</BarAction>}>
          Há uma nova versão do Rende.
        </Bar>
        <Bar icon="alert" tone="bad" actions={<BarAction onClick={() => undefined}>Desfazer</BarAction>}>
          Não foi aceito.
        </Bar>
      </Section>
      <Section title="Consequências">
        <Card fields>
          <Consequences
            warning="Não dá para desfazer."
            items={[
              ['Será apagado', 'O que identifica a pessoa.'],
              ['Será mantido', 'Valores e datas, sem nome.'],
            ]}
          />
        </Card>
      </Section>
    </>
  );
}
