use super::*;

fn stl_bytes(bytes: Vec<u8>) -> Result<Mesh> {
    from_bytes("stl", bytes, 1.0)
}

/// A tetrahedron with legs 1, as OBJ.
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/2 4/3\nf 2//1 3//1 4//1\nf -4 -1 -2\n";

/// The same as STL; binary or not.
fn stl_of(mesh: &Mesh, binary: bool) -> Vec<u8> {
    let mut text = String::from("solid t\n");
    let mut bytes = b"solid, although binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for triangle in &mesh.triangles {
        bytes.extend([0; 12]);
        text += "facet normal 0 0 0\nouter loop\n";
        for p in mesh.corners(*triangle) {
            p.to_array().iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
            text += &format!("vertex {:e} {:e} {:e}\n", p.x, p.y, p.z);
        }
        text += "endloop\nendfacet\n";
        bytes.extend([0; 2]);
    }
    text += "endsolid t\n";
    if binary {
        bytes
    } else {
        text.into_bytes()
    }
}

#[test]
fn the_three_forms_say_the_same() {
    let mesh = from_bytes("obj", OBJ.into(), 1.0).unwrap();
    assert!(mesh.is_closed() && mesh.points.len() == 4 && mesh.triangles.len() == 4);
    for binary in [true, false] {
        let other = from_bytes("stl", stl_of(&mesh, binary), 1.0).unwrap();
        assert!(other.is_closed());
        let triangles = |m: &Mesh| m.triangles.iter().map(|t| m.corners(*t)).collect::<Vec<_>>();
        assert_eq!(triangles(&mesh), triangles(&other));
    }
    let mut open = mesh.clone();
    open.triangles.pop();
    assert!(!open.is_closed());
}

#[test]
fn damaged_meshes_are_refused() {
    let mesh = from_bytes("obj", OBJ.into(), 1.0).unwrap();
    let whole = stl_of(&mesh, true);
    assert!(stl_bytes(whole[..whole.len() - 1].to_vec()).is_err());
    let text = String::from_utf8(stl_of(&mesh, false)).unwrap();
    for (from, to) in [("vertex", "vertx"), ("endloop", "vertex 0 0 0\nendloop"), ("e0 ", "x ")] {
        assert!(stl_bytes(text.replacen(from, to, 1).into_bytes()).is_err(), "{from}");
    }
    assert!(stl_bytes(text.as_bytes()[..text.find("endloop").unwrap()].to_vec()).is_err());
    for (from, to) in [("f 1 3 2", "f 1 3 9"), ("f 1 3 2", "f 1 3"), ("f 1 3 2", "f 0 1 2"), ("v 1 0 0", "v 1 0")] {
        assert!(from_bytes("obj", OBJ.replace(from, to).into_bytes(), 1.0).is_err(), "{to}");
    }
}

/// Two triangles of different materials in a node that is turned and moved, in centimetres.
const DAE: &str = r##"<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
 <asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
 <library_effects>
  <effect id="red-fx"><profile_COMMON><technique sid="t"><phong><diffuse><color>1 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect>
  <effect id="blue-fx"><profile_COMMON><technique sid="t"><lambert><diffuse><color>0 0 1 1</color></diffuse></lambert></technique></profile_COMMON></effect>
 </library_effects>
 <library_materials>
  <material id="red"><instance_effect url="#red-fx"/></material>
  <material id="blue"><instance_effect url="#blue-fx"/></material>
 </library_materials>
 <library_geometries><geometry id="g"><mesh>
  <source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 0 100 0 0 0 100</float_array>
   <technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  <triangles count="1" material="A"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#p" offset="1"/>
   <p>0 0 1 0 2 0</p></triangles>
  <polylist count="1" material="B"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3</vcount><p>0 1 3</p></polylist>
 </mesh></geometry></library_geometries>
 <library_visual_scenes><visual_scene id="s"><node>
   <translate>0 0 200</translate><rotate>0 0 1 90</rotate>
   <instance_geometry url="#g"><bind_material><technique_common>
     <instance_material symbol="A" target="#red"/><instance_material symbol="B" target="#blue"/>
   </technique_common></bind_material></instance_geometry>
 </node></visual_scene></library_visual_scenes>
 <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"##;

#[test]
fn collada_has_units_nodes_and_colours() {
    let painted = painted("dae", DAE.into(), Vec3::new(1.0, 1.0, 1.0), &|_| None).unwrap();
    let parts = painted.parts();
    let colours: Vec<_> = parts.iter().map(|(colour, _)| *colour).collect();
    assert_eq!(colours, [Some([255, 0, 0]), Some([0, 0, 255])]);
    let [a, b, c] = parts[0].1.corners(parts[0].1.triangles[0]);
    // x is turned into y, y into minus x, and all is 2 m up.
    for (found, wanted) in [(a, [0.0, 0.0, 2.0]), (b, [0.0, 1.0, 2.0]), (c, [-1.0, 0.0, 2.0])] {
        assert!((found - Vec3::from(wanted)).norm() < 1e-12, "{found:?} {wanted:?}");
    }
    for (from, to) in
        [("0 1 3", "0 1 9"), ("100 0 0", "nan 0 0"), ("#p\"/></vertices", "#q\"/></vertices"), ("</COLLADA>", "")]
    {
        assert!(from_bytes("dae", DAE.replacen(from, to, 1).into_bytes(), 1.0).is_err(), "{to}");
    }
    // A node that holds itself is no endless mesh.
    let bomb = DAE
        .replace("<node>", "<node id=\"n\">")
        .replace("<instance_geometry", "<instance_node url=\"#n\"/><instance_geometry");
    assert!(from_bytes("dae", bomb.into_bytes(), 1.0).is_err());
}

#[test]
fn a_mirrored_mesh_still_faces_outwards_and_mtl_gives_colours() {
    let mirrored = painted("obj", OBJ.into(), Vec3::new(1.0, -1.0, 1.0), &|_| None).unwrap().mesh;
    assert!(mirrored.is_closed() && !mirrored.clone().turn_outwards());
    let text = format!("mtllib t.mtl\nusemtl shiny\n{}usemtl none\nf 1 2 3\n", OBJ);
    let library = |name: &str| (name == "t.mtl").then(|| b"newmtl shiny\nKd 0 1 0\n".to_vec());
    let parts = painted("obj", text.into_bytes(), Vec3::new(1.0, 1.0, 1.0), &library).unwrap().parts();
    assert_eq!(
        parts.iter().map(|(c, m)| (*c, m.triangles.len())).collect::<Vec<_>>(),
        [(Some([0, 255, 0]), 4), (None, 1)]
    );
}
