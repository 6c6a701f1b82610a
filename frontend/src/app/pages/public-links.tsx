import { useLocationChoices } from '../../parts/location-choices.js';
import { usePublicLink } from '../../features/public-link/public-link.queries.js';
import { PublicLinks } from '../../features/public-links/public-links.js';
import { InviteSomebody } from '../../features/students/invite-somebody.js';
import { useSignedIn } from '../../lib/me.js';

/** The sheet "Links públicos" of the agenda. */
export default function PublicLinksPanel() {
  const { membership } = useSignedIn();
  const locations = useLocationChoices();
  const link = usePublicLink();
  const shown = locations.data?.items.filter(
    ({ id, is_active }) => is_active && (link.data?.locais?.includes(id) ?? true),
  );
  return (
    <PublicLinks
      slug={membership.slug}
      tenantId={membership.tenant_id}
      isOff={link.data?.ativo === false}
      locations={(!link.isLoading && shown) || null}
      invite={<InviteSomebody />}
    />
  );
}
