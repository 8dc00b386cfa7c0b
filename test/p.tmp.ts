import { readJson } from '../server/src/go/json.ts';
import { createCrd } from '../server/src/kubernetes/crd/create.ts';
import { seeded } from './support/random.ts';
import { Session } from 'node:inspector/promises';
import { writeFileSync } from 'node:fs';
const random=seeded(7);const description = 'Says what this field is for, as generated schemas do at some length, over and over again. ';
const leaf=():any=>random.pick<any>([()=>({ type: 'string', description, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),()=>({ type: 'integer', description, format: 'int32', minimum: 0, default: 1 }),()=>({ type: 'boolean', description }),()=>({ 'x-kubernetes-int-or-string': true, description, anyOf: [{ type: 'integer' }, { type: 'string' }] }),()=>({ type: 'string', description, enum: ['Always', 'Never', 'IfNotPresent'], default: 'Always' })])();
const container=(d:number):any=>random.chance(.5)?schema(d):({ type: 'array', description, maxItems: 2, items: schema(d) });
const schema=(depth:number):any=>{if(depth===0)return leaf();const properties:any={};for(let i=0;i<8;i++)properties['field'+i]=i<2?container(depth-1):leaf();const rules=random.chance(.1)?{'x-kubernetes-validations':[{rule:'has(self.field3) || true',message:'x'}]}:{};return {type:'object',description,properties,required:['field5'],...rules}};
const crd=(n:string)=>JSON.stringify({apiVersion:'apiextensions.k8s.io/v1',kind:'CustomResourceDefinition',metadata:{name:n+'s.example.com'},spec:{group:'example.com',scope:'Namespaced',names:{plural:n+'s',kind:n.toUpperCase()},versions:[{name:'v1',served:true,storage:true,schema:{openAPIV3Schema:{type:'object',properties:{spec:schema(3),status:schema(1)}}}}]}});
const many=Array.from({length:3000},(_,i)=>crd('k'+i));
const s=new Session(); s.connect(); await s.post('Profiler.enable'); await s.post('Profiler.setSamplingInterval',{interval:200});
let p=0,q=0;
for(const [i,t] of many.entries()){if(i===500)await s.post('Profiler.start');const a=performance.now();const r=readJson(t) as any;const b=performance.now();createCrd(r.json);const c=performance.now();if(i>=500){p+=b-a;q+=c-b}}
console.log('json',p/2500,'create',q/2500);
const {profile}=await s.post('Profiler.stop'); writeFileSync('/tmp/prof/b.cpuprofile',JSON.stringify(profile));
