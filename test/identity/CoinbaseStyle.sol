// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev Takes signatures as Coinbase Smart Wallet does: wrapped with the owner's number, over a hash that names chain and wallet.
contract CoinbaseStyle {
    struct SignatureWrapper {
        uint256 ownerIndex;
        bytes signatureData;
    }

    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant MESSAGE = keccak256("CoinbaseSmartWalletMessage(bytes32 hash)");
    mapping(uint256 => address) private _owners;

    constructor(address owner) {
        _owners[0] = owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        SignatureWrapper memory wrapper = abi.decode(signature, (SignatureWrapper));
        (bytes32 r, bytes32 s, uint8 v) = abi.decode(wrapper.signatureData, (bytes32, bytes32, uint8));
        address signer = ecrecover(replaySafeHash(hash), v, r, s);
        bool isOwner = signer != address(0) && signer == _owners[wrapper.ownerIndex];
        return isOwner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }

    function replaySafeHash(bytes32 hash) public view returns (bytes32) {
        bytes32 name = keccak256("Coinbase Smart Wallet");
        bytes32 domain = keccak256(abi.encode(DOMAIN, name, keccak256("1"), block.chainid, address(this)));
        return keccak256(abi.encodePacked("\x19\x01", domain, keccak256(abi.encode(MESSAGE, hash))));
    }
}

contract CoinbaseStyleFactory {
    function createAccount(address owner, uint256 nonce) external returns (address) {
        return address(new CoinbaseStyle{salt: bytes32(nonce)}(owner));
    }
}
