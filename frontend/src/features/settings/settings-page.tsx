import type { ReactNode } from 'react';
import { Card } from '../../ui/card.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Initials } from '../../ui/initials.js';
import { Logo } from '../../ui/logo.js';
import { Page, Section } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { ThemeChoice } from '../../ui/theme-choice.js';
import classes from './settings.module.css';

const records: readonly { to: string; title: string; facts: string; icon: IconName }[] = [
  { to: '/planos', title: 'Planos', facts: 'Preços e créditos', icon: 'box' },
  {
    to: '/ajustes/servicos',
    title: 'Serviços',
    facts: 'Duração, preço e cor do que você oferece',
    icon: 'tag',
  },
  { to: '/locais', title: 'Locais', facts: 'Onde você atende', icon: 'pin' },
  { to: '/pagadores', title: 'Pagadores', facts: 'Quem paga por seus alunos', icon: 'people' },
  { to: '/agenda?abrir=horarios', title: 'Horários', facts: 'Quando você atende', icon: 'clock' },
  { to: '/ajustes/feriados', title: 'Feriados', facts: 'Nacionais e os seus', icon: 'calendar' },
  { to: '/ajustes/politicas', title: 'Políticas', facts: 'Cancelamento por local', icon: 'shield' },
  {
    to: '/ajustes/politicas-info',
    title: 'Políticas e Termos Gerais',
    facts: 'Uso do Rende e privacidade',
    icon: 'shield',
  },
  {
    to: '/ajustes/contratos-termos',
    title: 'Contratos e Termos',
    facts: 'Modelos, envio e assinaturas',
    icon: 'edit',
  },
];

interface SettingsPageProps {
  userId: string;
  name: string;
  email: string;
  /** The user's other memberships. */
  others: readonly { id: string; title: string; choose: () => void }[];
  onSignOut: () => void;
  /** The link to support. */
  support: ReactNode;
}

export function SettingsPage({ userId, name, email, others, onSignOut, support }: SettingsPageProps) {
  return (
    <Page title="Ajustes" width="narrow">
      <Section title="Cadastros">
        <Card flush>
          {records.map(({ to, title, facts, icon }) => (
            <Row key={to} to={to} lead={<Lead icon={icon} />} title={title} facts={facts} />
          ))}
        </Card>
      </Section>
      <Section title="Configurações">
        <Card flush>
          <Row
            to="/ajustes/configuracoes"
            lead={<Lead icon="coins" />}
            title="Configurações"
            facts="Metas, reserva e divisão das receitas"
          />
          <Row
            to="/link-publico"
            lead={<Lead icon="link" />}
            title="Link Público"
            facts="Sua página para novos alunos agendarem"
          />
          <Row
            to="/ajustes/agendamento"
            lead={<Lead icon="calendar" />}
            title="Agendamento de alunos"
            facts="O que alunos com conta agendam direto"
          />
          <Row
            to="/ajustes/reposicao"
            lead={<Lead icon="renew" />}
            title="Reposição"
            facts="Sessões que o aluno desmarca no prazo"
          />
          <Row
            to="/agenda?abrir=lembretes"
            lead={<Lead icon="chat" />}
            title="Lembretes"
            facts="Mensagens para enviar aos alunos"
          />
          <Row
            to="/ajustes/whatsapp"
            lead={<Lead icon="chat" />}
            title="WhatsApp automático"
            facts="Lembretes que saem sozinhos, pela API oficial"
          />
          <Row
            to="/ajustes/calendario"
            lead={<Lead icon="calendar" />}
            title="Calendário"
            facts="Sua agenda no celular e bloqueios de outro calendário"
          />
          <Row
            to="/ajustes/notificacoes"
            lead={<Lead icon="bell" />}
            title="Notificações"
            facts="O que chega neste aparelho e por e-mail"
          />
          <Row
            to="/ajustes/emitente"
            lead={<Lead icon="edit" />}
            title="Recibos e contratos"
            facts="Seu nome, CPF ou CNPJ e CREF nos documentos"
          />
          <Row
            to="/ajustes/pix"
            lead={<Lead icon="pix" />}
            title="Pix"
            facts="A chave das cobranças, multa, juros e desconto"
          />
        </Card>
      </Section>
      <Section title="Aparência">
        <ThemeChoice />
      </Section>
      <Section title="Conta">
        <Card flush>
          <Row to="/ajustes/conta" lead={<Initials id={userId} name={name} />} title={name} facts={email} />
          <Row
            to="/ajustes/seguranca"
            lead={<Lead icon="shield" />}
            title="Segurança"
            facts="Verificação em duas etapas, aparelhos e acessos"
          />
          {others.map(({ id, title, choose }) => (
            <Row
              key={id}
              lead={<Lead icon="renew" />}
              title={title}
              facts="Trocar de conta"
              onClick={choose}
            />
          ))}
          <Row
            to="/ajustes/dados"
            lead={<Lead icon="archive" />}
            title="Seus dados"
            facts="Exportar uma cópia ou excluir a conta"
          />
          <Row
            to="/ajustes/integridade"
            lead={<Lead icon="shield" />}
            title="Verificar integridade"
            facts="Se o seu histórico não foi alterado"
          />
          <Row lead={<Lead icon="exit" />} title="Sair" onClick={onSignOut} />
        </Card>
      </Section>
      <footer className={classes.about}>
        <Logo size={28} />
        <span>versão {__APP_VERSION__}</span>
        {support}
      </footer>
    </Page>
  );
}

function Lead({ icon }: { icon: IconName }) {
  return (
    <span className={classes.lead}>
      <Icon name={icon} />
    </span>
  );
}
