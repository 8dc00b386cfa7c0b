/**
 * Groups with kinds whose names are two letters or fewer apart, by the public catalogue of CRDs of August 2026: where only
 * some of their CRDs are here, the others are not misspellings of these. Made by scripts/similarKinds.ts.
 */
const rows: readonly (readonly [group: string, kinds: string])[] = [
  ['aiven.io', 'kafkaconnect kafkaconnector'],
  ['appcat.vshn.io', 'objectbucket xobjectbucket'],
  ['application-networking.k8s.aws', 'serviceexport serviceimport'],
  ['beyondcorp.cnrm.cloud.google.com', 'beyondcorpappconnection beyondcorpappconnector'],
  [
    'compute.cnrm.cloud.google.com',
    'computehttphealthcheck computehttpshealthcheck computeroute computerouter computetargethttpproxy computetargethttpsproxy computetargettcpproxy',
  ],
  ['configuration.konghq.com', 'tcpingress udpingress'],
  [
    'ec2.aws.m.upbound.io',
    'networkinterfaceattachment networkinterfacesgattachment securitygroupegressrule securitygroupingressrule',
  ],
  [
    'ec2.aws.upbound.io',
    'networkinterfaceattachment networkinterfacesgattachment securitygroupegressrule securitygroupingressrule',
  ],
  ['gateway.networking.k8s.io', 'backendlbpolicy backendtlspolicy httproute tcproute tlsroute udproute'],
  ['generators.external-secrets.io', 'acraccesstoken gcraccesstoken'],
  ['gravitee.io', 'apidefinition apiv4definition'],
  [
    'infrastructure.cluster.x-k8s.io',
    'gcpcluster gcpclustertemplate gcpmachine gcpmachinetemplate gcpmanagedcluster gcpmanagedcontrolplane gcpmanagedmachinepool ocicluster ociclustertemplate ocimachine ocimachinetemplate ocimanagedcluster ocimanagedcontrolplane ocimanagedmachinepool osccluster oscclustertemplate oscmachine oscmachinetemplate rosacluster',
  ],
  ['kafka.strimzi.io', 'kafkaconnect kafkaconnector kafkamirrormaker kafkamirrormaker2'],
  ['metallb.io', 'addresspool ipaddresspool'],
  ['monitoring.googleapis.com', 'clusternodemonitoring clusterpodmonitoring'],
  ['nauth.io', 'accountexport accountimport'],
  [
    'network.azure.com',
    'dnszonesaaaarecord dnszonesarecord dnszonescaarecord dnszonesmxrecord dnszonesnsrecord dnszonestxtrecord privatednszonesarecord privatednszonesmxrecord privatednszonestxtrecord',
  ],
  ['networkservices.cnrm.cloud.google.com', 'networkserviceshttproute networkservicestcproute networkservicestlsroute'],
  [
    'operator.victoriametrics.com',
    'vlagent vlcluster vlsingle vmagent vmalert vmcluster vmnodescrape vmpodscrape vmsingle vtcluster vtsingle',
  ],
  ['oss.grafana.crossplane.io', 'dashboard dashboardv1beta1 dashboardv2 dashboardv2beta1 playlist playlistv1'],
  ['oss.grafana.m.crossplane.io', 'dashboard dashboardv1beta1 dashboardv2 dashboardv2beta1 playlist playlistv1'],
  ['platform.confluent.io', 'connect connector schemaexporter schemaimporter'],
  ['rbacmanager.reactiveops.io', 'rbacdefinition rbacdefinitions'],
  ['resources.teleport.dev', 'teleportrole teleportrolev6 teleportrolev7 teleportrolev8'],
  ['templates.kluctl.io', 'githubcomment gitlabcomment'],
  ['traefik.containo.us', 'ingressroutetcp ingressrouteudp'],
  ['traefik.io', 'ingressroutetcp ingressrouteudp'],
  [
    'vshn.appcat.vshn.io',
    'vshnkeycloak vshnmariadb vshnminio vshnnextcloud vshnpostgresql vshnredis xvshnkeycloak xvshnmariadb xvshnminio xvshnnextcloud xvshnpostgresql xvshnredis',
  ],
];

export const similarKinds: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  rows.map(([group, kinds]) => [group, new Set(kinds.split(' '))]),
);
