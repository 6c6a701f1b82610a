import { useOutletContext } from 'react-router-dom';
import type { OwnArea } from '../../../../backend/modules/accounts/area-links.api.js';
import { Page } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { OwnSections } from '../own-sections.js';

/** The home of a student without an account. */
export default function HomeByLink() {
  const { primeiro_nome, personal } = useOutletContext<OwnArea>();
  return (
    <Page title={`Olá, ${primeiro_nome}!`} subtitle={`Seu personal: ${personal}`} width="narrow">
      <OwnSections>
        <Quiet size="sm">Este link é só seu. Para agendar, peça um convite ao seu personal.</Quiet>
      </OwnSections>
    </Page>
  );
}
